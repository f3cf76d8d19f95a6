import type { OpenEnv, Reply } from '../../deliveries/webhooks/webhook-table.ts'
import { parseCallEvent } from '../../ledger/legs/leg-event.ts'
import { rawQuery, type TelcoRequest } from './request.ts'
import { type AnswerParts, ROUTES } from './table.ts'

/**
 * Answers a form as the route of that address does, for a rehearsal: nothing is authenticated, logged or kept. `target` is
 * path and query below the prefix. Undefined when there is no such route.
 */
export async function answerUnverified(
  parts: AnswerParts,
  open: OpenEnv,
  { target, form }: { target: string; form: Readonly<Record<string, string>> },
): Promise<Reply | undefined> {
  const path = target.split('?', 1)[0] ?? ''
  for (const route of ROUTES) {
    const pattern = new RegExp(`^${route.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    const found = pattern.exec(path)
    if (found === null) continue
    const request: TelcoRequest = {
      form,
      query: new URLSearchParams(rawQuery(target)),
      event: parseCallEvent(form),
      callId: undefined,
    }
    return route.run(parts, open, { request, params: { ...found.groups }, about: {} })
  }
  return undefined
}
