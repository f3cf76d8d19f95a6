import { mayDo, useMe } from '../data/session.ts'
import { Button } from '../design/press.tsx'
import { isWithheld, phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { MobileLink, OwnPhoneNote, useOwnPhone } from './own-phone.tsx'
import { useDial } from './use-dial.ts'

interface Props {
  number: string
  /** Id of the contact, where it is known. */
  contact?: number | undefined
  /** In a row (the smallest), or beside a sentence; there it is for everybody who has a phone only. */
  size?: 'compact-xs' | 'compact-sm'
  /** It was us who called. */
  isAgain?: boolean
}

/** Rings one's own phone, and connects it with the number; in its place stands why where that phone cannot ring. */
export function DialButton({ number, contact, size, isAgain = false }: Props) {
  const say = useWords('lines')
  const me = useMe()
  const { obstacle } = useOwnPhone()
  const [dial, isDialling] = useDial()
  const isInRow = size !== undefined
  if (isWithheld(number)) return null
  if (!mayDo(me, 'connect.user', 'r')) return null
  if (obstacle !== undefined && size === 'compact-sm') return <MobileLink number={number} />
  if (obstacle !== undefined) return isInRow ? null : <OwnPhoneNote numbers={[number]} />
  return (
    <Button
      {...(isInRow ? { size } : {})}
      variant={size === 'compact-sm' ? 'filled' : 'default'}
      loading={isDialling}
      onClick={() => dial(number, contact)}
      aria-label={isInRow ? say('dialNumber', { number: phone(number) }) : undefined}
    >
      {say(isInRow || isAgain ? 'dial' : 'callBack')}
    </Button>
  )
}
