/** What the addresses of contacts say, and the search they stand for; pure. */
import type { Domain } from '../data/client.ts'

export interface ContactsSearch {
  /** A name, a mail address, or a number in any usual form. */
  text?: string
  /** Those of whom nothing but a number is known, or those who work here. */
  only?: 'numbers' | 'staff'
}

export function readContactsSearch(search: Record<string, unknown>): ContactsSearch & Record<string, unknown> {
  const text = typeof search.text === 'number' ? String(search.text) : search.text
  return {
    ...(typeof text === 'string' && text !== '' ? { text } : {}),
    // Anyone who looks for somebody outside looks among all of them.
    ...(search.only === 'numbers' && (typeof text !== 'string' || text === '') ? { only: 'numbers' } : {}),
    ...(search.only === 'staff' ? { only: 'staff' } : {}),
  }
}

/** Callers whom nobody has named are called by their number. */
const UNNAMED: Domain = [['name', '=like', '+%']]

/** With a word around them, fewer digits are a year or a room; the service reads the number. */
const DIGITS_WITH_WORDS_MIN = 6

/** Anyone who looks for something finds all there are; otherwise people who are named, without those who are gone. Staff are apart. */
export function domainOf({ text, only }: ContactsSearch): Domain {
  const ofStaff: Domain = [['is_staff', '=', only === 'staff']]
  if (text !== undefined) return [...ofStaff, ...foundBy(text)]
  if (only === 'staff') return ofStaff
  return [...ofStaff, ...(only === 'numbers' ? UNNAMED : ([['active', '=', true], '!', ...UNNAMED] as const))]
}

function foundBy(text: string): Domain {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
  const digits = plain.replaceAll(/[\s().\-/+'\p{Pd}]/gu, '').replace(/^0+/, '')
  if (/^\d{3,15}$/.test(digits))
    return ['|', ['phone_normalized', 'like', digits], ['mobile_normalized', 'like', digits]]
  const isWithWords = plain.replaceAll(/\D/g, '').length >= DIGITS_WITH_WORDS_MIN && !plain.includes('@')
  if (isWithWords) return ['|', '|', ['name', 'ilike', plain], ['phone', 'ilike', plain], ['mobile', 'ilike', plain]]
  const email = /<([^<>]+@[^<>]+)>/.exec(plain)?.[1] ?? plain
  return ['|', ['name', 'ilike', plain], ['email', 'ilike', email]]
}

export const TABS = ['calls', 'messages', 'tickets', 'meetings'] as const
export type Tab = (typeof TABS)[number]

export interface ContactSearch {
  /** The story when nothing is said. */
  tab?: Tab
}

export function readContactSearch(search: Record<string, unknown>): ContactSearch & Record<string, unknown> {
  const tab = TABS.find((each) => each === search.tab)
  return tab === undefined ? {} : { tab }
}
