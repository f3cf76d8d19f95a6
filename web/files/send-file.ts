import { saySignedOut } from '../data/client.ts'
import { notReached, readError, refusalWords } from '../data/errors.ts'

/** A file that the service has, on a note or soon on one. */
export interface Attachment {
  id: number
  name: string
  type: string
  bytes: number
  url: string
}

interface Sending {
  done: Promise<Attachment>
  stop: () => void
}

/** Sends a file's bytes and says meanwhile which part of them has gone; `fetch` cannot say so. Rejects with an ApiError. */
export function sendFile(file: File, onPart: (part: number) => void): Sending {
  const request = new XMLHttpRequest()
  const done = new Promise<Attachment>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onPart(total === 0 ? 0 : loaded / total))
    request.addEventListener('load', () => {
      const answer = answerOf(request)
      if (request.status === 200) return resolve(answer as Attachment)
      if (request.status === 401) saySignedOut()
      const id = request.getResponseHeader('x-request-id')
      const headers = new Headers(id === null ? {} : { 'x-request-id': id })
      void refusalWords().then(() => reject(readError(request.status, answer, headers)))
    })
    const broken = () => reject(notReached())
    request.addEventListener('error', broken)
    request.addEventListener('abort', broken)
  })
  request.open('POST', `/api/attachment?name=${encodeURIComponent(file.name)}`)
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.send(file)
  return { done, stop: () => request.abort() }
}

function answerOf({ responseText }: XMLHttpRequest): unknown {
  try {
    return JSON.parse(responseText)
  } catch {
    return undefined
  }
}
