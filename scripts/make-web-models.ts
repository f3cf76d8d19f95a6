// Writes web/data/models.gen.ts, the types of what the page may read and call: git ignores it, and nothing of it is in the built page.
// Writes web/words/withheld.gen.ts, the pattern of withheld numbers, web/words/languages.gen.ts, the languages,
// web/words/model-labels.gen.ts, what kinds of records are called, and web/records/preset-prompts.gen.ts: these are in git,
// because the page is built from them without the service.
//   node scripts/make-web-models.ts   (`npm test`, `npm run build` and `npm run migration` run it)
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describedModels } from '../src/app/models.ts'
import { openApiDocument } from '../src/platform/api/openapi.ts'
import { LANGUAGES } from '../src/platform/geography/geography-data.ts'
import SENTENCES from '../src/telco/sentences/sentences.json' with { type: 'json' }
import { IDENTITY_PATTERNS } from '../src/withheld.ts'
import {
  type ApiDocument,
  writeLanguages,
  writeModelLabels,
  writeModelTypes,
  writePresetPrompts,
  writeWithheld,
} from './web-models.ts'

const WITHHELD_FILE = path.join(import.meta.dirname, '../web/words/withheld.gen.ts')
const LANGUAGES_FILE = path.join(import.meta.dirname, '../web/words/languages.gen.ts')
const LABELS_FILE = path.join(import.meta.dirname, '../web/words/model-labels.gen.ts')
const PROMPTS_FILE = path.join(import.meta.dirname, '../web/records/preset-prompts.gen.ts')
/** On the disk of the checkout, and read by nobody. */
const CACHE = path.join(import.meta.dirname, '../node_modules/.cache')
const FILE = path.join(import.meta.dirname, '../web/data/models.gen.ts')

const document = JSON.parse(JSON.stringify(openApiDocument(describedModels(), [], undefined))) as ApiDocument
write(FILE, writeModelTypes(document))
write(WITHHELD_FILE, writeWithheld(IDENTITY_PATTERNS.withheld))
write(LANGUAGES_FILE, writeLanguages(LANGUAGES.map(({ code }) => code)))
write(LABELS_FILE, writeModelLabels(document))
write(PROMPTS_FILE, writePresetPrompts(SENTENCES.welcome))
console.log(
  `Wrote ${[FILE, WITHHELD_FILE, LANGUAGES_FILE, LABELS_FILE, PROMPTS_FILE].map((file) => path.relative(process.cwd(), file)).join(', ')}.`,
)

/** The type checks and several runs of the tests may read it meanwhile: it is there whole, or as it was. */
function write(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(CACHE, { recursive: true })
  const unfinished = path.join(CACHE, `${path.basename(file)}.${process.pid}`)
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
}
