/** What a notice says; pure. */
import type { Row } from '../data/client.ts'
import { phone, plain } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'

const WORDS = {
  assigned: 'noticeAssigned',
  mentioned: 'noticeMentioned',
  run_failed: 'noticeRunFailed',
  delivery_dead: 'noticeDeliveryDead',
} as const

/** What happened, in a line; of a missed call whose it was, by the name of the contact or the number. */
export function noticeTitle(
  { kind, detail }: Pick<Row<'connect.notice', 'kind' | 'detail'>, 'kind' | 'detail'>,
  say: (key: Keys['shell'], values?: Record<string, string>) => string,
): string {
  if (kind === null) return ''
  if (kind !== 'missed') return say(WORDS[kind])
  return detail === null || detail === ''
    ? say('noticeMissedWithheld')
    : say('noticeMissed', { who: phone(plain(detail)) })
}
