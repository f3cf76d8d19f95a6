import { unlessRefused } from '../../sync/push-failure.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { isSyncUnderWay } from '../../sync/sync-run.ts'
import { pushApplication } from '../applications/push-application.ts'
import { pushCallerId, removeCallerId } from '../caller-ids/push-caller-id.ts'
import { pushNumber } from '../numbers/push-number.ts'
import { listPhones, pushCredential } from '../phone-users/push-credential.ts'
import { pushDomain, removeDomain } from '../sip-domains/push-domain.ts'
import { pushSender } from '../whatsapp/push-sender.ts'
import { unlessMissing } from './errors.ts'
import { type Push, TELCO } from './push-request.ts'
import { requestRun } from './run-request.ts'
import type { TelcoParts } from './telco-parts.ts'

/** Pushes one thing to the phone provider. */
export async function pushOne(parts: TelcoParts, push: Push): Promise<unknown> {
  const { account } = parts
  switch (push.kind) {
    case 'application':
      return pushApplication(parts, push.id)
    case 'domain':
      return pushDomainAndPhones(parts, push.id)
    case 'credential':
      return pushCredential(parts, push.id)
    case 'number':
      return pushNumber(parts, push.id)
    case 'caller-id':
      return pushCallerId(parts, push.id)
    case 'sender':
      return pushSender(parts, push.id)
    case 'everything':
      return synchronise(parts)
    case 'remove-application':
      return unlessMissing(() => account.applications.delete(push.sid))
    case 'remove-caller-id':
      return removeCallerId(parts, push.sid)
    case 'remove-template':
      return unlessMissing(() => account.contents.delete(push.sid))
    case 'remove-domain':
      return removeDomain(parts, push)
    case 'remove-credential':
      return unlessMissing(() => account.credentialLists.deleteCredential(push.listSid, push.sid))
  }
}

/** A domain that was just made has no phones yet. */
async function pushDomainAndPhones(parts: TelcoParts, id: number): Promise<void> {
  await pushDomain(parts, id)
  const phones = (await listPhones(parts)).filter((phone) => phone.domain === id && phone.sid === null)
  for (const phone of phones) await unlessRefused(parts, TELCO, 'credential', () => pushCredential(parts, phone.id))
}

/** Everything anew, with a run that shows how it goes; after the one that is under way, which began too early. */
async function synchronise(parts: TelcoParts): Promise<void> {
  if (await isSyncUnderWay(parts.db, 'telco')) throw new Error('a synchronisation is under way')
  await inServiceEnv(parts, (env) => requestRun(env, 'sync'))
}
