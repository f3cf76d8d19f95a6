import type { Heard } from './callers.ts'
import type { Sent } from './deliveries.ts'
import type { ServiceUnderStorm } from './service.ts'
import { addTally, calm, countConversations, eventually, type Tally } from './storm.ts'

const RECOVERY_MS = 90_000
/** A delivery is either acknowledged or to be sent again later. */
const EXPECTED: readonly string[] = ['200', '503']
/** And of a process that is killed, or stands still, there may be no answer. */
export const OR_NONE: readonly string[] = [...EXPECTED, 'none', 'no answer in time']

interface Accounting {
  services: readonly ServiceUnderStorm[]
  sent: Sent
  /** Callers who rang meanwhile. */
  heard?: Heard
  /** What a delivery may be answered; anything else is wrong. */
  expected?: readonly string[]
}

/** Waits until nothing is left to do, and compares what is there then with what was acknowledged. */
export async function countAcknowledged({ services, sent, heard, expected = EXPECTED }: Accounting): Promise<Tally> {
  const figures = { longestMs: sent.longestMs, ...(heard === undefined ? {} : { callerMs: heard.longestMs }) }
  const answers = { ...calm(), wrong: heard?.unanswered ?? 0, statuses: sent.statuses, figures }
  const [first] = services
  if (first === undefined || services.some(({ hasEnded }) => hasEnded)) {
    return addTally(answers, { ...calm(), of: sent.acknowledged.length, wrong: 1, remark: 'a service ended by itself' })
  }
  const isWorkedOff = await eventually(() => areWorkedOff(services), RECOVERY_MS)
  const unexpected = [...sent.statuses].filter(([status]) => !expected.includes(status)).map(([, count]) => count)
  const wrong = unexpected.reduce((sum, count) => sum + count, isWorkedOff ? 0 : 1)
  const found = await countConversations(first, sent.acknowledged)
  return addTally(addTally(answers, found), { ...calm(), wrong })
}

/** Whether all of them are ready, and nothing that they took waits any more. */
export async function areWorkedOff(services: readonly ServiceUnderStorm[]): Promise<boolean> {
  for (const service of services) if (!((await service.isReady()) && (await service.isWorkedOff()))) return false
  return true
}
