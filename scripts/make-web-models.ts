// Writes web/data/models.gen.ts, what the page may read and call, with its types, web/words/withheld.gen.ts, how withheld numbers
// are told from others, and web/words/languages.gen.ts, the languages there are. Run it when a model or one of these has changed.
//   node scripts/make-web-models.ts   (`npm run migration` runs it too)
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createModels } from '../src/app/models.ts'
import { serviceOperations } from '../src/app/operations.ts'
import { openApiDocument } from '../src/platform/api/openapi.ts'
import { LANGUAGES } from '../src/platform/geography/geography-data.ts'
import { IDENTITY_PATTERNS } from '../src/withheld.ts'
import { type ApiDocument, writeLanguages, writeModelTypes, writeWithheld } from './web-models.ts'

const WITHHELD_FILE = path.join(import.meta.dirname, '../web/words/withheld.gen.ts')
const LANGUAGES_FILE = path.join(import.meta.dirname, '../web/words/languages.gen.ts')
const FILE = path.join(import.meta.dirname, '../web/data/models.gen.ts')

/** Methods are described here, and none is called. */
const notCalled = (): never => {
  throw new Error('a method was called while it was described')
}
const models = createModels(
  ...serviceOperations({
    client: {} as never,
    telcoSync: notCalled,
    backups: notCalled,
    checks: notCalled,
    replays: notCalled,
    config: { telcoBaseUrl: undefined, voiceaiBaseUrl: 'https://api.elevenlabs.io' },
    voiceai: {} as never,
    agents: notCalled,
    tried: notCalled,
    jobs: notCalled,
  }),
)
const document = JSON.parse(JSON.stringify(openApiDocument(models, [], undefined))) as ApiDocument
writeFileSync(FILE, writeModelTypes(document))
writeFileSync(WITHHELD_FILE, writeWithheld(IDENTITY_PATTERNS.withheld))
writeFileSync(LANGUAGES_FILE, writeLanguages(LANGUAGES.map(({ code }) => code)))
console.log(
  `Wrote ${[FILE, WITHHELD_FILE, LANGUAGES_FILE].map((file) => path.relative(process.cwd(), file)).join(', ')}.`,
)
