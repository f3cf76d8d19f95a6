import type { Env } from '../../platform/access/env.ts'
import { notifyChanged, notifySomeChanged } from '../../platform/records/notify-changed.ts'
import { textMessageModel } from './message.ts'

/** A message, and the record that it is posted on. */
interface Posted {
  id: number
  res_model: string | null
  res_id: number | null
}

/** Tells open pages that messages have come further; those that show the record, whose people may not read messages, as well. */
export async function tellMessageNews(env: Pick<Env, 'db'>, messages: readonly Posted[]): Promise<void> {
  await notifySomeChanged(env, textMessageModel.name, [...new Set(messages.map(({ id }) => id))])
  const posted = messages.flatMap(({ res_model: model, res_id: id }) =>
    model === null || id === null ? [] : [{ model, id }],
  )
  for (const [model, ofModel] of Map.groupBy(posted, (each) => each.model)) {
    await notifyChanged(env, model, [...new Set(ofModel.map(({ id }) => id))])
  }
}
