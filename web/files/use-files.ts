import { useCallback, useEffect, useRef, useState } from 'react'
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

/** Files for a note that somebody is writing: sent as soon as they are chosen, and taken back until it is posted. */
export function useFiles() {
  const [files, setFiles] = useState<PickedFile[]>([])
  const stops = useRef(new Map<number, () => void>())
  const nextKey = useRef(1)
  const change = useCallback((key: number, values: Partial<PickedFile>): void => {
    setFiles((all) => all.map((file) => (file.key === key ? { ...file, ...values } : file)))
  }, [])
  // Whoever leaves the page does not want them any more.
  useEffect(() => () => stopAll(stops.current), [])
  const add = (chosen: readonly File[]): void => {
    for (const [at, file] of chosen.entries()) {
      const key = nextKey.current
      nextKey.current += 1
      const picked = { key, name: file.name, bytes: file.size, part: 0 }
      const problem = problemOf(file, files.length + at)
      setFiles((all) => [...all, problem === undefined ? picked : { ...picked, problem }])
      if (problem !== undefined) continue
      const { done, stop } = sendFile(file, (part) => change(key, { part }))
      stops.current.set(key, stop)
      done
        .then((sent) => change(key, { part: 1, sent }))
        .catch((error: unknown) => change(key, { problem: sentenceOf(error) }))
        .finally(() => stops.current.delete(key))
    }
  }
  const remove = (key: number): void => {
    stops.current.get(key)?.()
    setFiles((all) => all.filter((file) => file.key !== key))
  }
  return {
    files,
    add,
    remove,
    clear: () => setFiles([]),
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

function stopAll(stops: Map<number, () => void>): void {
  for (const stop of stops.values()) stop()
}
