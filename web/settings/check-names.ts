import type { Keys } from '../words/keys.ts'

/** Checks as the service names them, and what they are called here. */
const NAMES: Readonly<Record<string, Keys['settings']>> = {
  service: 'checkService',
  database: 'checkDatabase',
  queue: 'checkQueue',
  writes: 'checkWrites',
  'queue age': 'checkQueueAge',
  ids: 'checkIds',
  'embedded database': 'checkEmbedded',
  disk: 'checkDisk',
  'dead deliveries': 'checkDead',
  'waiting deliveries': 'checkWaiting',
  'waiting messages': 'checkMessages',
  'rejected deliveries': 'checkRejected',
  recordings: 'checkRecordings',
  'call settings': 'checkCallSettings',
  'public address': 'checkAddress',
  'telephony signature': 'checkTelephony',
  'forwarded headers': 'checkForwarded',
  'trusted proxy': 'checkProxy',
  'post-call signature': 'checkPostCall',
  'agent token': 'checkToken',
  'voiceai clock': 'checkAgentClock',
  voiceai: 'checkAgents',
  'telco clock': 'checkPhoneClock',
  telco: 'checkPhone',
}

/** A check in the language of the page; as the service names it where that is new. */
export function checkName(check: string, say: (key: Keys['settings']) => string): string {
  const words = NAMES[check]
  return words === undefined ? check : say(words)
}
