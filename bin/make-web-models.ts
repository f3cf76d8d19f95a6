// Writes web/data/models.gen.ts: what the page may read and call, with its types. Run it when a model has changed.
//   npm run web-models
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createModels } from '../src/app/models.ts'
import { serviceOperations } from '../src/app/operations.ts'
import { openApiDocument } from '../src/platform/api/openapi.ts'
import { type ApiDocument, writeModelTypes } from './web-models.ts'

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
    config: { telcoBaseUrl: undefined },
    jobs: notCalled,
  }),
)
const document = JSON.parse(JSON.stringify(openApiDocument(models, [], undefined))) as ApiDocument
writeFileSync(FILE, writeModelTypes(document))
console.log(`Wrote ${path.relative(process.cwd(), FILE)}.`)
