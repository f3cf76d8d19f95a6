// Makes the folder of the embedded database and ends. It runs as a process of its own (see engine-folder.ts), because
// making it takes several hundred megabytes that a process never gives back.
import { PGlite } from '@electric-sql/pglite'

const [, , folder] = process.argv
if (folder === undefined) throw new Error('the folder to make is missing')
const engine = await PGlite.create({ dataDir: folder })
await engine.close()
