import type { Env } from '../access/env.ts'

/** Notifies every open page that records changed, once the transaction has committed. */
export async function notifyChanged({ db }: Pick<Env, 'db'>, model: string, ids: readonly number[]): Promise<void> {
  await db.notify('connect_records', JSON.stringify({ model, ids }))
}
