// What the service says in English has German words: labels of models, fields, choices and methods.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { addMethods, createModels } from '../../src/app/models.ts'
import { helpOf } from '../../src/platform/api/field-help.ts'
import type { Model } from '../../src/platform/model/model.ts'
import { telcoOperations } from '../../src/telco/described-routes.ts'
import { phoneDirectory } from '../../src/telco/routing/phone-directory.ts'
import { argumentFields } from '../../web/records/method-arguments.ts'
import { isForPeople } from '../../web/records/record-rights.ts'
import { wordHelp } from '../../web/words/help-words.ts'
import { root } from '../support/source-files.ts'
import { TestApp } from '../support/test-app.ts'

const read = (file: string) =>
  JSON.parse(readFileSync(path.join(root, 'web/words/de', file), 'utf8')) as Record<string, string>
const german = read('fields.json')
const help = read('help.json')

/** Choices that are names of products, places, formats or methods of HTTP: the same in every language. */
const NAMES =
  /^(?:[\w.-]*\d[\w.-]*|[A-Z]{2,}|=|[a-z]{2}\d|ashburn|umatilla|dublin|frankfurt|sydney|sao-paulo|tokyo|singapore|sms|mms|WhatsApp|whatsapp|roaming|grok-beta|string|boolean|integer|qwen[\w-]*|Flash v\S+|Multilingual v\d|v\d.*|Turbo v[\d.]+|PCM .*)$/

const models = [...addMethods(createModels(), [telcoOperations({ client: {} as never, directory: phoneDirectory })])]

/** Models that somebody can open: the webhook's identity is nobody. */
function isSeen({ access = {} }: Model): boolean {
  return Object.entries(access).some(([group, rights]) => group !== 'connect.group_webhook' && rights !== '-')
}

function* labelsOf({ name: model, label, fields }: Model): Generator<[place: string, english: string]> {
  yield [model, label]
  for (const [name, field] of Object.entries(fields)) {
    if (field.groups?.length === 0) continue
    yield [`${model}.${name}`, field.label]
    const choices = 'choices' in field ? (field.choices ?? []) : []
    for (const [value, words] of choices) if (!NAMES.test(words)) yield [`${model}.${name}.${value}`, words]
  }
}

/** Of a method: its name, and what it asks for. */
function* wordsOfMethods({ name: model, methods = {} }: Model): Generator<[place: string, english: string]> {
  for (const [name, { label: words, args }] of Object.entries(methods)) {
    yield [`${model}.${name}`, words]
    for (const { name: arg, string } of argumentFields({ arguments: args }, String)) {
      yield [`${model}.${name}.${arg}`, string]
    }
  }
}

it('every label that somebody can see on a generated screen has German words', () => {
  const labels = models.filter(isSeen).flatMap((model) => [...labelsOf(model), ...wordsOfMethods(model)])
  expect(labels.length).toBeGreaterThan(800)
  const missing = labels.filter(([place, english]) => german[place] === undefined && german[english] === undefined)
  expect([...new Set(missing.map(([place, english]) => `${english} (${place})`))]).toEqual([])
})

it('a time of day that something lasts until is not called as whom a message goes to', () => {
  const ends = models.filter(isSeen).flatMap(({ name: model, fields }) =>
    Object.entries(fields)
      .filter(([, { label, widget }]) => label === 'To' && widget === 'time_of_day')
      .map(([name]) => `${model}.${name}`),
  )
  expect(ends).toHaveLength(2)
  expect(ends.map((place) => german[place])).toEqual(['Bis', 'Bis'])
})

it('a form offers only what somebody does with the record, and no questions of programs', () => {
  const offered = models.flatMap(({ name: model, methods = {} }) =>
    Object.entries(methods)
      .filter(([name, { operation }]) => operation === 'read' && isForPeople(model, name))
      .map(([name]) => `${model}/${name}`),
  )
  expect(offered).toContain('connect.user/originate')
  expect(offered.filter((each) => /\/(?:merged_into|lookup|stats|find|story|explain)$/.test(each))).toEqual([])
  expect(isForPeople('connect.delivery', 'replayable')).toBe(false)
})

/** What stands beside the fields of a model and the arguments of its methods, and what is asked before those. */
function helpsOf(model: Model): string[] {
  const fields = Object.entries(model.fields).filter(([, field]) => field.groups?.length !== 0)
  const asked = Object.values(model.methods ?? {}).map(({ confirm }) => confirm)
  const hints = Object.values(model.methods ?? {}).flatMap(({ args }) =>
    argumentFields({ arguments: args }, String).map(({ help: hint }) => hint ?? undefined),
  )
  return [...fields.map(([name, field]) => helpOf(model, name, field)), ...asked, ...hints].filter(
    (each) => each !== undefined,
  )
}

it('every sentence beside a field, and every question before a method, has German words', () => {
  const sentences = models.filter(isSeen).flatMap(helpsOf)
  expect(sentences.length).toBeGreaterThan(300)
  expect([...new Set(sentences.map((each) => wordHelp(each, help).unknown))].filter((each) => each !== '')).toEqual([])
})

it('German sentences beside fields are those of fields that there are', () => {
  const sentences = models.filter(isSeen).flatMap(helpsOf)
  const isSaid = (key: string) => key.includes('{{m') || sentences.some((each) => each.includes(key))
  expect(Object.keys(help).filter((key) => !isSaid(key))).toEqual([])
})

it('every method that the running service adds to its models has German words, too', async () => {
  const app = await TestApp.start()
  const labels: [place: string, english: string][] = []
  for (const { name: model } of app.app.platform.models) {
    const { status, body } = await app.admin.call(model, 'methods_get', {})
    // What nobody sees has no words.
    if (status !== 200) continue
    const methods = Object.entries(body as Record<string, { label: string }>)
    labels.push(...methods.map(([name, { label }]): [string, string] => [`${model}.${name}`, label]))
  }
  await app.stop()
  expect(labels.map(([place]) => place)).toContain('connect.settings.check_address')
  expect(labels.filter(([place, english]) => german[place] === undefined && german[english] === undefined)).toEqual([])
})

it('what a sync found is marked as sentences that have German words', () => {
  const errors = models.flatMap(({ name: model, fields }) =>
    Object.entries(fields)
      .filter(
        ([name]) =>
          name === 'sync_error' || (model === 'connect.sync_run' && /^(?:errors|differences|summary)$/.test(name)),
      )
      .map(([name, { widget }]) => [`${model}.${name}`, widget]),
  )
  expect(errors.length).toBeGreaterThan(8)
  expect(errors.filter(([, widget]) => widget !== 'finding')).toEqual([])
})
