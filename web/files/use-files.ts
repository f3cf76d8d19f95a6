import { onSignedOut } from '../data/client.ts'
import { type Place, useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { type Attachment, sendFile } from './send-file.ts'

/** As the service has it: a file of more is not sent at all. */
export const FILE_MEGABYTES_MAX = 25
const FILE_BYTES_MAX = FILE_MEGABYTES_MAX * 1024 * 1024
/** Files of one note. */
export const FILES_MAX = 20

export interface PickedFile {
  key: number
  name: string
  bytes: number
  /** From 0 to 1. */
  part: number
  sent?: Attachment
  /** Why it is not sent; `too-large` and `too-many` before anything was tried. */
  problem?: string
}

const NONE: readonly PickedFile[] = []

/** Ends what is on its way, by the key of the file. */
const stops = new Map<number, () => void>()
let nextKey = 1

/**
 * Files for a note that somebody is writing: sent as soon as they are chosen, and taken back until it is posted. They belong
 * to the draft at the place, whatever the page shows meanwhile, as long as it is open.
 */
export function useFiles(place: Place) {
  const [files = NONE, change] = useDraft<readonly PickedFile[]>(
    { ...place, field: `${place.field} files` },
    { isInMemory: true },
  )
  const changeOne = (key: number, values: Partial<PickedFile>): void => {
    change((all) => all?.map((file) => (file.key === key ? { ...file, ...values } : file)))
  }
  const add = (chosen: readonly File[]): void => {
    for (const [at, file] of chosen.entries()) {
      const key = nextKey
      nextKey += 1
      const picked = { key, name: file.name, bytes: file.size, part: 0 }
      const problem = problemOf(file, files.length + at)
      change((all = NONE) => [...all, problem === undefined ? picked : { ...picked, problem }])
      if (problem !== undefined) continue
      const { done, stop } = sendFile(file, (part) => changeOne(key, { part }))
      stops.set(key, stop)
      done
        .then((sent) => changeOne(key, { part: 1, sent }))
        .catch((error: unknown) => changeOne(key, { problem: sentenceOf(error) }))
        .finally(() => stops.delete(key))
    }
  }
  const remove = (key: number): void => {
    stops.get(key)?.()
    change((all) => all?.filter((file) => file.key !== key))
  }
  return {
    files,
    add,
    remove,
    /** Takes off those that were posted; what was added meanwhile stays. */
    takeOff: (posted: readonly number[]): void => {
      change((all) => all?.filter(({ sent }) => sent === undefined || !posted.includes(sent.id)))
    },
    ids: files.flatMap(({ sent }) => (sent === undefined ? [] : [sent.id])),
    /** Some are still on their way, or will never arrive. */
    isReady: files.every(({ sent }) => sent !== undefined),
  }
}

export type Files = ReturnType<typeof useFiles>

function problemOf({ size }: File, before: number): 'too-large' | 'too-many' | undefined {
  if (size > FILE_BYTES_MAX) return 'too-large'
  return before >= FILES_MAX ? 'too-many' : undefined
}

// Nobody is left who sends them.
onSignedOut(() => {
  for (const stop of stops.values()) stop()
})
