import i18next, { type TOptions } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { momentsForPeople } from './for-people.ts'
import {
  bytes,
  clock,
  count,
  duration,
  exactClock,
  nameWithheldBy,
  party,
  plain,
  type Reader,
  readerOf,
  readInstant,
  share,
  shortTime,
} from './formats.ts'
import type { Keys, Room } from './keys.ts'
import { recordName } from './labels.ts'
import { sharedPlace } from './shared-place.ts'
import { asWrittenIn } from './swiss.ts'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** The time zone of the browser. */
export const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const STORED = 'connect.language'
const FILES = import.meta.glob<Record<string, string>>('./*/*.json', { import: 'default' })

/** What was chosen here, else the browser's, else English. */
export function currentLanguage(): Language {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages].map((each) => each?.slice(0, 2))
  return LANGUAGES.find((language) => language === wanted.find((each) => LANGUAGES.some((one) => one === each))) ?? 'en'
}

/** What the reader speaks, the likeliest first: that of the page where they chose it, else those of the browser. */
export function readersLanguages(): readonly string[] {
  const page = currentLanguage()
  const [first = page, ...others] = navigator.languages
  const isChosen = LANGUAGES.some((each) => first.startsWith(each)) && !first.startsWith(page)
  return isChosen ? [page, first, ...others] : [first, ...others]
}

/** Chooses a language and begins anew with it. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(STORED, language)
  location.reload()
}

export async function startWords(): Promise<void> {
  const language = currentLanguage()
  document.documentElement.lang = language
  // Asked again where the words did not come.
  if (!i18next.isInitialized)
    await i18next.use(initReactI18next).init({
      lng: language,
      fallbackLng: 'en',
      ns: [],
      resources: {},
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
    })
  await loadWords('shell')
  nameWithheldBy(() => i18next.t('numberWithheld', { ns: 'shell' }))
}

/** That the service is away, in the language of the page. */
export function unreachableWords(): string {
  return i18next.t('unreachable', { ns: 'shell' })
}

/** What the button says that empties a picker. */
export function clearWords(): string {
  return i18next.t('clear', { ns: 'shell' })
}

/** Loads what a room says; English comes along where a word is missing. */
export async function loadWords(room: Room): Promise<void> {
  const languages = new Set<Language>([currentLanguage()])
  await Promise.all(
    [...languages].map(async (language) => {
      if (i18next.hasResourceBundle(language, room)) return
      const file = await FILES[`./${language}/${room}.json`]?.()
      i18next.addResourceBundle(language, room, asWrittenIn(reader().language, file ?? {}))
    }),
  )
}

/** The words of a room, by keys that exist. */
export function useWords<Name extends Room>(room: Name): (key: Keys[Name], options?: TOptions) => string {
  const { t } = useTranslation(room)
  const say = t as unknown as (key: string, options?: TOptions) => string
  return (key, options) => say(key, options ?? {})
}

/** Says everything on the page once more: what is known now changes how numbers read. */
export function sayAnew(): void {
  i18next.emit('languageChanged', currentLanguage())
}

let zone: string | undefined

/** Times are shown in the zone that somebody has chosen, else in the company's, else in that of the browser. */
export function chooseZone(chosen: string | null): void {
  zone = chosen ?? undefined
}

/** Takes the language that somebody has chosen for themselves, where the page has it. */
export function followLanguage(lang: string | null): void {
  const language = LANGUAGES.find((each) => lang?.startsWith(each))
  if (language !== undefined) localStorage.setItem(STORED, language)
}

export function reader(): Reader {
  return readerOf(currentLanguage(), {
    spoken: navigator.languages,
    zone: zone ?? BROWSER_ZONE,
  })
}

const MESSAGE = /^(sms|mms|WhatsApp) from (\S+) on (\d{4}-\d\d-\d\d)$/
const CALL = /^(?:[\w-]+ )*call at ([\d-]+[T ][\d:.]+Z?)$/i

/** What the service calls a record, with times as the reader's clock shows them. */
export function named(text: string): string {
  const [, at] = CALL.exec(text) ?? []
  if (at !== undefined) return i18next.t('callAt', { ns: 'shell', time: formats.time(at) })
  const [, kind, from = '', day = ''] = MESSAGE.exec(text) ?? []
  if (kind !== undefined) return messageName(kind, { from, day })
  return momentsForPeople(plain(recordName(text)), formats.time)
}

function messageName(kind: string, { from, day }: { from: string; day: string }): string {
  const { language } = reader()
  const on = new Date(day).toLocaleDateString(language, { timeZone: 'UTC', dateStyle: 'medium' })
  const name = kind === 'WhatsApp' ? kind : kind.toUpperCase()
  return i18next.t('messageFrom', { ns: 'shell', kind: name, from: party(from), day: on })
}

/** What a text message says; of a place that was shared, in words of the reader. */
export function messageWords(text: string): string {
  const place = sharedPlace(text)
  return place === undefined ? text : i18next.t('sharedPlace', { ns: 'shell', place })
}

/** Words of a person, in the quotation marks of the language of the page. */
export function quoted(text: string): string {
  return i18next.t('quoted', { ns: 'shell', text: plain(text) })
}

/** Formats for the person who reads. */
export const formats = {
  /** Nothing where nothing is known. */
  time: (at: string | null): string => (at === null ? '' : shortTime(readInstant(at), new Date(), reader())),
  /** The time of day alone, where the day stands above. */
  clock: (at: string): string => clock(readInstant(at), reader()),
  /** The same to the second. */
  exactClock: (at: string): string => exactClock(readInstant(at), reader()),
  exact: (at: string): string => readInstant(at).toISOString(),
  duration,
  bytes: (total: number): string => bytes(total, reader().language),
  count: (total: number): string => count(total, reader().language),
  /** A part of one whole. */
  share: (part: number): string => share(part, reader().language),
}
