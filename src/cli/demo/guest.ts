import type { App } from '../../app/create-app.ts'
import type { Connection } from '../../app/own-api/connection.ts'
import type { Chapter } from './story.ts'

const LOGIN = 'demo'
/** Groups that are for machines, not for a person. */
const MACHINE_GROUPS = ['connect.group_webhook', 'base.group_public']

/**
 * An address that opens the page, signed in, on the call that opened a ticket, else on the first one; undefined without a
 * call. It signs in as somebody of the demo's own, who has no password, so that the first administrator can still be made.
 */
export async function signedInAddress(
  { app, address, connection }: { app: Pick<App, 'links' | 'platform'>; address: string; connection: Connection },
  chapters: readonly Chapter[],
): Promise<string | undefined> {
  const calls = chapters.flatMap(({ found }) => found.call)
  const call = calls.find(({ ticket }) => ticket !== null) ?? calls[0]
  if (call === undefined) return undefined
  const userId = await ensureGuest(connection)
  return address + app.links.issue({ userId, page: `/calls/${call.id}`, now: app.platform.clock() })
}

async function ensureGuest(connection: Connection): Promise<number> {
  const [known] = await connection.call<number[]>('res.users', 'search', { domain: [['login', '=', LOGIN]] })
  if (known !== undefined) return known
  const domain = [['external_id', 'not in', MACHINE_GROUPS]]
  const groups = await connection.call<number[]>('res.groups', 'search', { domain })
  return connection.call<number>('res.users', 'create', {
    vals_list: { login: LOGIN, name: 'Demo', group_ids: groups },
  })
}
