import { SERVER_URL } from './database.ts'

const DEFAULT = 20_260_826
const DISTANCE = 1_000

/**
 * Where random requests begin: the same every time, but elsewhere for each kind of database, so that both together see
 * twice as many. Set FUZZ_SEED to look elsewhere.
 */
export const FUZZ_SEED = Number(process.env.FUZZ_SEED ?? DEFAULT) + (SERVER_URL === undefined ? 0 : DISTANCE)
