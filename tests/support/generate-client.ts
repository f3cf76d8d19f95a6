// Runs openapi-typescript: `node generate-client.ts <document> <file>`. It writes with the compiler API of TypeScript 5,
// which the TypeScript 7 of this project has no more; @ts-morph/common brings that one and no command of its own.
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const COMPILER = `data:text/javascript,import common from '${import.meta.resolve('@ts-morph/common')}'; export default common.ts`

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url: COMPILER, shortCircuit: true } : next(specifier, context),
})

const { default: openapiTS, astToString } = await import('openapi-typescript')
const [document = '', file = ''] = process.argv.slice(2)
writeFileSync(file, astToString(await openapiTS(pathToFileURL(document))))
