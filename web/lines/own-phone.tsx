import { type Me, useMe } from '../data/session.ts'
import { phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

/** A web phone signs in with a token that the API key of the account signs: without one it is called and never rings. */
function isSilentWebPhone(kind: string | undefined, { features }: Me): boolean {
  return kind === 'client' && features.web_phones !== true
}

/** Whether any phone of theirs rings for a call that is sent to their extension. */
export function ringsAnyPhone(me: Me): boolean {
  return me.phone?.rings.some((kind) => !isSilentWebPhone(kind, me)) ?? false
}

type Obstacle = 'mobileAlone' | 'nothingToCallFrom' | 'webPhoneSilent' | 'sipPhoneSilent'

/** The word for what keeps one's own phone, which rings first in a call by a click, from ringing; undefined where it can. */
function obstacleOf(me: Me): Obstacle | undefined {
  const kind = me.phone?.calls_from ?? undefined
  if (kind === undefined) return me.phone?.rings.includes('mobile') ? 'mobileAlone' : 'nothingToCallFrom'
  if (isSilentWebPhone(kind, me)) return 'webPhoneSilent'
  return kind === 'sip' && !me.phone?.rings.includes('sip') ? 'sipPhoneSilent' : undefined
}

/** What stands in the way of one's own phone, and what a call by a click does: it is not offered where nothing would ring. */
export function useOwnPhone(): {
  obstacle: string | undefined
  isMobileAlone: boolean
  told: (number: string) => string
} {
  const say = useWords('lines')
  const me = useMe()
  const obstacle = obstacleOf(me)
  const rings = me.phone?.calls_from === 'sip' ? 'diallingSip' : 'dialling'
  return {
    obstacle: obstacle === undefined ? undefined : say(obstacle),
    isMobileAlone: obstacle === 'mobileAlone',
    told: (number) => say(rings, { number: phone(number) }),
  }
}

/** Stands in place of the button. */
export function OwnPhoneNote({ numbers }: { numbers: readonly string[] }) {
  const { obstacle } = useOwnPhone()
  if (obstacle === undefined) return null
  return (
    <>
      <span className="dim">{obstacle}</span>
      {numbers.map((number) => (
        <MobileLink key={number} number={number} />
      ))}
    </>
  )
}

/** A mobile calls by itself: its own dialler opens with the number. Nothing for people with another phone, or without one. */
export function MobileLink({ number }: { number: string }) {
  const say = useWords('lines')
  const { isMobileAlone } = useOwnPhone()
  // A SIP address is no number for a mobile.
  return isMobileAlone && number.startsWith('+') ? (
    <a href={`tel:${number}`}>{say('callByMobile', { number: phone(number) })}</a>
  ) : null
}
