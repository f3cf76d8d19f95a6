import { fileURLToPath } from 'node:url'

/** Where the committed migrations are, in the order of their journal. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url))
