import { type Consumer, oneByOne } from '../../deliveries/inbox/consume.ts'
import type { Inbox } from '../../deliveries/inbox/inbox.ts'
import type { IncomingRequest } from '../../deliveries/webhooks/webhook-table.ts'
import { parseRequest, rawQuery, readRequest } from './request.ts'
import { rowAt } from './table.ts'

/** Kind under which reports that could not be recorded wait in the inbox. */
const TELCO_EVENT = 'telco.event'

interface StoredEvent {
  path: string
  form: Record<string, string>
  /** The raw query, which names our own message in reports of its status. */
  query: string
}

/** Stores a report that could not be recorded, so that it is recorded later, with back-off; its row, once it has one. */
export async function saveForLater(inbox: Inbox, path: string, arrival: IncomingRequest): Promise<number | undefined> {
  const event: StoredEvent = { path, form: { ...readRequest(arrival).form }, query: rawQuery(arrival.target) }
  return inbox.receive({
    kind: TELCO_EVENT,
    conversation: undefined,
    payload: JSON.stringify(event),
    mediaRef: undefined,
  })
}

/** Records reports that could not be recorded at first; nobody is answered, because the caller is long gone. */
export const telcoConsumers: Record<string, Consumer> = {
  [TELCO_EVENT]: oneByOne(async (env, { payload }) => {
    const { path, ...stored } = JSON.parse(payload) as StoredEvent
    const recorded = await rowAt(path).record?.(env, [parseRequest(stored)])
    return { state: 'done', call: recorded?.[0]?.callId }
  }),
}
