// Writes web/data/models.gen.ts: what the page may read and call, with its types. Run it when a model has changed.
//   npm run web-models
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { backupOperations } from '../src/app/backup/backups.ts'
import { createModels } from '../src/app/models.ts'
import { openApiDocument } from '../src/platform/api/openapi.ts'
import { telcoOperations } from '../src/telco/described-routes.ts'
import { phoneDirectory } from '../src/telco/routing/phone-directory.ts'
import { telcoSyncOperations } from '../src/telco/sync/buttons.ts'
import { type ApiDocument, writeModelTypes } from './web-models.ts'

const FILE = path.join(import.meta.dirname, '../web/data/models.gen.ts')

/** Methods are described here, and none is called. */
const notCalled = (): never => {
  throw new Error('a method was called while it was described')
}
const models = createModels(
  telcoOperations({ client: {} as never, directory: phoneDirectory }),
  telcoSyncOperations(notCalled),
  backupOperations(notCalled),
)
const document = JSON.parse(JSON.stringify(openApiDocument(models, [], undefined))) as ApiDocument
writeFileSync(FILE, writeModelTypes(document))
console.log(`Wrote ${path.relative(process.cwd(), FILE)}.`)
