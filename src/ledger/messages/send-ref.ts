import { ID_MAX } from '../../lenient-values.ts'

/** One attempt to send a message, as our status addresses name it. */
export interface SendRef {
  id: number
  attempt: number
}

const WRITTEN = /^(\d{1,16})-(\d{1,6})$/

/** The text that stands for an attempt in the query of a status address. */
export function writeSendRef({ id, attempt }: SendRef): string {
  return `${id}-${attempt}`
}

export function readSendRef(written: string | null): SendRef | undefined {
  const [, id, attempt] = WRITTEN.exec(written ?? '') ?? []
  if (id === undefined || Number(id) > ID_MAX) return undefined
  return { id: Number(id), attempt: Number(attempt) }
}
