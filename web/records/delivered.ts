/** How far a text of ours has come, as a sign and a word. */
import type { Keys } from '../words/keys.ts'
import { useWords } from '../words/words.ts'

const SIGNS: Readonly<Record<string, string>> = {
  draft: '…',
  queued: '…',
  sending: '…',
  sent: '✓',
  delivered: '✓✓',
  read: '✓✓',
  undelivered: '✕',
  failed: '✕',
}
const WORDS: Readonly<Record<string, Keys['records']>> = {
  draft: 'statusDraft',
  queued: 'statusQueued',
  sending: 'statusQueued',
  sent: 'statusSent',
  delivered: 'statusDelivered',
  read: 'statusRead',
  undelivered: 'statusUndelivered',
  failed: 'statusFailed',
}

/** "✓✓ delivered"; nothing for a status that says nothing of the way. */
export function useDelivered(): (status: string | null) => string {
  const say = useWords('records')
  return (status) => {
    const word = WORDS[status ?? '']
    return word === undefined ? '' : `${SIGNS[status ?? ''] ?? ''} ${say(word)}`
  }
}

/** Whether it did not arrive. */
export function hasFailed(status: string | null): boolean {
  return status === 'failed' || status === 'undelivered'
}
