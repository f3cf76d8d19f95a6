/** A country that has changed how its numbers are written: one subscriber, an old form and the form of today. */
interface NumberChange {
  /** The calling code, with its +. */
  code: string
  /** Numbers in the old form, after the code. */
  old: RegExp
  today: string
  /** The form of today, after the code, of a number that had the old one; and that one. */
  now: RegExp
  before: string
}

/**
 * Old forms that are still written: in address books, and by WhatsApp, whose accounts keep the number of their first day.
 * - Mexico: the 1 before mobile numbers that are called from abroad ended on 3 August 2019 (IFT, Plan Técnico Fundamental de Numeración).
 * - Brazil: a 9 came before mobile numbers, in all areas since 6 November 2016 (Anatel, Resolução 553/2010). They began with 6 to 9;
 *   landlines begin with 2 to 5 and have no 9.
 * - Ivory Coast: 8 digits became 10 on 31 January 2021, with two digits for the operator before them: mobile numbers 01 (Moov), 05 (MTN)
 *   and 07 (Orange), told by their second digit; landlines 21, 25 and 27, told by their third (ARTCI, plan national de numérotation 2021).
 * - Benin: 8 digits became 10 on 30 November 2024, with 01 before them (ARCEP Bénin, nouveau plan national de numérotation).
 */
export const NUMBER_CHANGES: readonly NumberChange[] = [
  { code: '+52', old: /^1(\d{10})$/, today: '$1', now: /^(\d{10})$/, before: '1$1' },
  {
    code: '+55',
    old: /^([1-9][1-9])([6-9]\d{7})$/,
    today: '$19$2',
    now: /^([1-9][1-9])9([6-9]\d{7})$/,
    before: '$1$2',
  },
  ivorian('01', '[04-9][1-3]'),
  ivorian('05', '[04-9][4-6]'),
  ivorian('07', '[04-9][7-9]'),
  ivorian('21', '[23]\\d8'),
  ivorian('25', '[23]\\d0'),
  ivorian('27', '[23]\\d[1-79]'),
  { code: '+229', old: /^([2-9]\d{7})$/, today: '01$1', now: /^01([2-9]\d{7})$/, before: '$1' },
]

function ivorian(operator: string, begin: string): NumberChange {
  const rest = `(?=\\d{8}$)(${begin}\\d+)$`
  return {
    code: '+225',
    old: new RegExp(`^${rest}`),
    today: `${operator}$1`,
    now: new RegExp(`^${operator}${rest}`),
    before: '$1',
  }
}

/**
 * Argentina: a mobile number has a 9 after +54 when it is called or written to from abroad, and none where a network shows it as it is
 * called at home; its ten digits are nobody else's (ENACOM, Plan Fundamental de Numeración Nacional).
 */
export const ARGENTINE = /^\+54(9?)([1-8]\d{9})$/

/** An E.164 number in the form that its country writes today; a number that has not changed stays as it is. */
export function asWrittenToday(number: string): string {
  const change = NUMBER_CHANGES.find(({ code, old }) => number.startsWith(code) && old.test(number.slice(code.length)))
  return change === undefined
    ? number
    : change.code + number.slice(change.code.length).replace(change.old, change.today)
}

/** Every E.164 form of one subscriber, the given one first: what is stored somewhere may have any of them. */
export function formsOfSubscriber(e164: string): string[] {
  const today = asWrittenToday(e164)
  const older = NUMBER_CHANGES.filter(
    ({ code, now }) => today.startsWith(code) && now.test(today.slice(code.length)),
  ).map(({ code, now, before }) => code + today.slice(code.length).replace(now, before))
  const [, nine, rest] = ARGENTINE.exec(e164) ?? []
  const other = rest === undefined ? [] : [nine === '9' ? `+54${rest}` : `+549${rest}`]
  return [...new Set([e164, today, ...older, ...other])]
}

/** One form for all messages with a subscriber, whichever form each came with. */
export function conversationNumber(e164: string): string {
  return asWrittenToday(e164).replace(ARGENTINE, '+549$2')
}
