import { SERVER_URL } from './database.ts'

const DEFAULT = 20_260_826
const DISTANCE = 1_000

/**
 * Where random requests begin: the same every time, but elsewhere for each kind of database, so that each needs to see
 * only half as many as one alone would. Set FUZZ_SEED to look elsewhere, or at the same ones again.
 */
export const FUZZ_SEED = Number(process.env.FUZZ_SEED ?? (SERVER_URL === undefined ? DEFAULT : DEFAULT + DISTANCE))
