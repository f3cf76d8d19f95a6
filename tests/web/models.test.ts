import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type ApiDocument,
  writeLanguages,
  writeModelLabels,
  writeModelTypes,
  writePresetPrompts,
  writeWithheld,
} from '../../scripts/web-models.ts'
import { LANGUAGES } from '../../src/platform/geography/geography-data.ts'
import SENTENCES from '../../src/telco/sentences/sentences.json' with { type: 'json' }
import { IDENTITY_PATTERNS } from '../../src/withheld.ts'
import { root } from '../support/source-files.ts'
import { TestApp } from '../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

it('the page is written for the models that the service describes', async () => {
  const { body } = await app.request('/api/openapi.json')
  execFileSync(process.execPath, ['scripts/make-web-models.ts'], { cwd: root })
  const written = readFileSync(path.join(root, 'web/data/models.gen.ts'), 'utf8')
  expect(writeModelTypes(body as ApiDocument)).toBe(written)
})

it('the page tells withheld numbers from others as the service does: npm run migration', () => {
  const written = readFileSync(path.join(root, 'web/words/withheld.gen.ts'), 'utf8')
  expect(writeWithheld(IDENTITY_PATTERNS.withheld)).toBe(written)
})

it('the page calls kinds of records what the service calls them: node scripts/make-web-models.ts', async () => {
  const { body } = await app.request('/api/openapi.json')
  const written = readFileSync(path.join(root, 'web/words/model-labels.gen.ts'), 'utf8')
  expect(writeModelLabels(body as ApiDocument)).toBe(written)
})

it('the page knows what the service says before a menu: node scripts/make-web-models.ts', () => {
  const written = readFileSync(path.join(root, 'web/records/preset-prompts.gen.ts'), 'utf8')
  expect(writePresetPrompts(SENTENCES.welcome)).toBe(written)
})

it('the page offers the languages that the service knows: node scripts/make-web-models.ts', () => {
  const written = readFileSync(path.join(root, 'web/words/languages.gen.ts'), 'utf8')
  expect(writeLanguages(LANGUAGES.map(({ code }) => code))).toBe(written)
})
