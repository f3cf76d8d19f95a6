import type { Party } from './conversations.ts'

const PREFIX = 'connect.draft.'

/** What was begun in a conversation stays in this browser until it is sent. */
export function readDraft(party: Party): string {
  return sessionStorage.getItem(keyOf(party)) ?? ''
}

export function saveDraft(party: Party, text: string): void {
  if (text === '') sessionStorage.removeItem(keyOf(party))
  else sessionStorage.setItem(keyOf(party), text)
}

function keyOf({ channel, ours, theirs }: Party): string {
  return PREFIX + [channel, ours, theirs].join(' ')
}
