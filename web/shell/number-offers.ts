import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { GROUP, mayDo, useIsInOne, useMe } from '../data/session.ts'
import { lookupQuery, matchOf } from '../data/who-is.ts'
import { useOwnPhone } from '../lines/own-phone.tsx'
import { useDial } from '../lines/use-dial.ts'
import { isWithheld, phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

/** Digits with what people put between them. */
const NUMBER = /^\+?[\d\s().\-/]+$/
/** Fewer are an extension, the number of a ticket, or not typed to the end. */
const DIGITS_MIN = 6

/** What can be done with a number. */
interface NumberOffer {
  label: string
  /** Whose it is, where that is known. */
  detail: string | undefined
  run: () => unknown
}

/** Calls and writes to a number that is typed, whether somebody knows it or not, for everybody who may. */
export function useNumberOffers(text: string): readonly NumberOffer[] {
  const say = useWords('shell')
  const sayLines = useWords('lines')
  const me = useMe()
  const navigate = useNavigate()
  const { obstacle, isMobileAlone } = useOwnPhone()
  const [dial] = useDial()
  const mayCall = mayDo(me, 'connect.user', 'r')
  const mayWrite = useIsInOne(GROUP.connectUser, GROUP.connectAdmin)
  const isNumber = NUMBER.test(text) && text.replaceAll(/\D/g, '').length >= DIGITS_MIN && !isWithheld(text)
  const isWanted = isNumber && (mayCall || mayWrite) && mayDo(me, 'res.partner', 'r')
  const { data: found } = useQuery({ ...lookupQuery(text), enabled: isWanted, throwOnError: false })
  const number = isWanted ? found?.e164 : undefined
  if (number === null || number === undefined) return []
  const contact = matchOf(found)
  const detail = contact === null ? undefined : plain(contact[1])
  const shown = { number: phone(number) }
  const call = { label: sayLines('dialNumber', shown), detail, run: () => dial(number, contact?.[0]) }
  const mobile = { label: sayLines('callByMobile', shown), detail, run: () => window.location.assign(`tel:${number}`) }
  const write = {
    label: say('messageTo', shown),
    detail,
    run: () => navigate({ to: '/messages', search: { to: number } }),
  }
  return [
    ...(mayCall && obstacle === undefined ? [call] : []),
    ...(mayCall && isMobileAlone ? [mobile] : []),
    ...(mayWrite ? [write] : []),
  ]
}
