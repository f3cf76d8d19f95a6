import { call } from '../data/client.ts'
import { mayDo, useMe } from '../data/session.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { isWithheld, phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

interface Props {
  number: string
  /** Id of the contact, where it is known. */
  contact?: number | undefined
  /** In a row; there it is for everybody who has a phone only. */
  size?: 'compact-xs' | 'compact-sm'
}

/** Rings one's own phone, and connects it with the number; the service says why where that cannot be. */
export function DialButton({ number, contact, size }: Props) {
  const say = useWords('lines')
  const me = useMe()
  const dial = () =>
    call('connect.user', 'originate', { number, ...(contact === undefined ? {} : { partner_id: contact }) }).then(
      () => tellDone(say('dialling', { number: phone(number) })),
      tellRefusal,
    )
  const isInRow = size !== undefined
  if (isWithheld(number)) return null
  if (!mayDo(me, 'connect.user', 'r') || (isInRow && !me.phone)) return null
  return (
    <Button
      {...(isInRow ? { size } : {})}
      variant={size === 'compact-sm' ? 'filled' : 'default'}
      onClick={dial}
      aria-label={isInRow ? say('dialNumber', { number: phone(number) }) : undefined}
    >
      {isInRow ? say('dial') : say('callBack')}
    </Button>
  )
}
