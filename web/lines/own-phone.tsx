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

/** What stands in the way of one's own phone, which rings first in a call by a click, and what such a call does. */
export function useOwnPhone(): { obstacle: string | undefined; told: (number: string) => string } {
  const say = useWords('lines')
  const me = useMe()
  const first = me.phone?.rings.find((kind) => kind === 'client' || kind === 'sip')
  const isSilent = isSilentWebPhone(first, me)
  return {
    obstacle: isSilent ? say('webPhoneSilent') : undefined,
    told: (number) => say(isSilent ? 'diallingSilent' : 'dialling', { number: phone(number) }),
  }
}

/** Says it before the button is pressed. */
export function OwnPhoneNote() {
  const { obstacle } = useOwnPhone()
  return obstacle === undefined ? null : <span className="dim">{obstacle}</span>
}
