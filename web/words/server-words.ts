import { wordFinding } from './finding-words.ts'
import { helpForPeople } from './for-people.ts'
import { wordHelp } from './help-words.ts'
import { wordLabels } from './labels.ts'
import { wordReason } from './reason-words.ts'
import { type Said, wordRefusal } from './refusal-words.ts'
import { asWrittenIn } from './swiss.ts'
import { currentLanguage, reader } from './words.ts'

type Words = Readonly<Record<string, string>>

let refusals: Words = {}
let helps: Words = {}
let findings: Words = {}
let reasons: Words = {}

function written(words: Words): Words {
  return asWrittenIn(reader().language, words)
}

/** Loads why the service refuses something, which may be anywhere. */
export async function loadRefusals(): Promise<void> {
  refusals =
    currentLanguage() === 'de'
      ? written((await import('./de/refusals.json')).default)
      : (await import('./plain-refusals.ts')).PLAIN_REFUSALS
}

/** Loads what else the service itself says in English: labels of fields, choices and methods, what stands beside them, and findings. */
export async function loadServerWords(): Promise<void> {
  if (currentLanguage() !== 'de') return
  const [labels, helpful, found, why] = await Promise.all([
    import('./de/fields.json'),
    import('./de/help.json'),
    import('./de/findings.json'),
    import('./de/reasons.json'),
  ])
  wordLabels(written(labels.default))
  helps = written(helpful.default)
  findings = written(found.default)
  reasons = written(why.default)
}

/** What the service says beside a field or before a method, sentence by sentence, but for what only programs have to know. */
export function helpOf(english: string): string {
  return helpForPeople(wordHelp(english, helps).text)
}

/** The same beside a value that a person writes as a program does. */
export function wholeHelpOf(english: string): string {
  return wordHelp(english, helps).text
}

/**
 * What a check of the installation, a sync or a comparison with a provider found, as a whole or sentence by sentence; its own
 * words where there are no others.
 */
export function findingOf(english: string): string {
  const said = wordFinding(english, findings)
  return said === english ? wordReason(english, findings) : said
}

/** The words of what checks find, by the English sentence; none in English. */
export function findingWords(): Words {
  return findings
}

/** Why a delivery ended as it did; the service's own sentence where there are no words. */
export function reasonOf(english: string): string {
  return wordReason(english, reasons)
}

/**
 * Why something was refused, by its code; the service's own sentence where there is no other. Models and fields are called
 * what people call them.
 */
export function refusalOf(message: string, code: string, said: Said): string {
  return wordRefusal(message, code, { ...said, words: refusals, why: findingOf, help: wholeHelpOf })
}
