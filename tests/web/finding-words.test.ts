// What the checks of the installation find has German words on the page.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { wordFinding } from '../../web/words/finding-words.ts'
import { readSources, root } from '../support/source-files.ts'

const german = JSON.parse(readFileSync(path.join(root, 'web/words/de/findings.json'), 'utf8')) as Record<string, string>
/** The checks that run from the page; those of real accounts are for the command line. */
const CHECKS =
  /^src\/app\/checks\/(?:providers|public-address|records|service|signatures|trusted-proxy)\.ts$|^src\/.*-remarks\.ts$/
/** How the checks call a record whose remarks they tell. */
const KIND = /'connect\.[a-z_.]+': '([A-Z][^']*)'/g
const LITERAL = /(check: |: )?(?:`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)')/g
/** Nothing to translate: commands, headers, and statements. */
const NO_SENTENCE = /^select |^connect [^.]*(?:\.\.\.[^.]*|\.[^ .]+\.[^ .]+)?$|^Bearer /

/** Texts of more than one word, with numbered places; the names of checks have words of their own. */
function sentencesIn(text: string): string[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '').replaceAll(/^import .*$/gm, '')
  return [...code.matchAll(LITERAL)].flatMap(([, before, one, other]) => {
    const parts = (one ?? other ?? '').split(/\$\{[^{}]*\}/)
    const sentence = parts.map((part, at) => (at === 0 ? part : `{${at}}${part}`)).join('')
    const isSaid = before !== 'check: ' && /[a-z}] [a-z{]/i.test(sentence) && !NO_SENTENCE.test(sentence)
    return isSaid ? [sentence] : []
  })
}

const source = [...readSources((file) => CHECKS.test(file)).values()].join('\n')
const kinds = [...source.matchAll(KIND)].map(([, kind = '']) => kind)
const said = [
  ...sentencesIn(source).filter((sentence) => !kinds.includes(sentence) && !sentence.startsWith('{1} "{2}": ')),
  ...kinds.map((kind) => `${kind} "{1}": {2}`),
]

it('every sentence of the checks has German words, about the same things', () => {
  expect(said.length).toBeGreaterThan(60)
  expect(said.filter((sentence) => german[sentence] === undefined)).toEqual([])
  const placesOf = (text: string) => [...text.matchAll(/\{\d\}/g)].map(([place]) => place).toSorted()
  const strange = Object.entries(german).filter(([key, text]) => String(placesOf(key)) !== String(placesOf(text)))
  expect(strange).toEqual([])
})

it('German sentences of checks are those that a check says', () => {
  const words = Object.keys(german).filter((key) => !said.includes(key) && !source.includes(`'${key}'`))
  // The states of a run, which stand in a place.
  expect(words).toEqual(['queued', 'running'])
})

it('a finding is put into other words with what it is about, or stays as it is', () => {
  expect(wordFinding('https://a.example is not https', german)).toBe('https://a.example ist nicht https')
  expect(wordFinding('https://a.example cannot be reached from here: no route (a.example)', german)).toBe(
    'https://a.example ist von hier nicht erreichbar: no route (a.example)',
  )
  expect(wordFinding('3 text messages are not sent yet; the oldest says: it is on its way', german)).toBe(
    '3 Nachrichten sind noch nicht gesendet; die älteste sagt: sie ist unterwegs',
  )
  expect(wordFinding('Fix that, then: connect sync telco', german)).toBe('Das beheben, dann: connect sync telco')
  expect(wordFinding('something else', german)).toBe('something else')
})
