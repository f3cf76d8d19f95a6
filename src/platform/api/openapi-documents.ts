import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { forgetOldest } from '../../forget-oldest.ts'
import type { Identity } from '../access/identity.ts'
import type { Models } from '../model/declaration.ts'
import type { ApiOperation } from './api-operation.ts'
import { openApiDocument } from './openapi.ts'

const compress = promisify(gzip)

/** Sets of groups whose documents are remembered; there are few, and past it the oldest is made again. */
const REMEMBERED_MAX = 50

/** The API document as it is sent. */
interface SentDocument {
  /** Weak, because the same document is sent compressed and not. */
  tag: string
  json: Buffer
  gzip: Buffer
}

/** The API document, made once for each set of groups: to make it takes a hundred times as long as to send it. */
export class OpenApiDocuments {
  readonly #models: Models
  readonly #made = new Map<string, Promise<SentDocument>>()

  readonly #others: readonly ApiOperation[]

  /** `others` are the routes that are not made from models. */
  constructor(models: Models, others: readonly ApiOperation[]) {
    this.#models = models
    this.#others = others
  }

  /** What this person may read; without a person, all there is. */
  get(identity: Identity | undefined): Promise<SentDocument> {
    const key = identity === undefined ? '' : JSON.stringify([identity.isElevated, ...[...identity.groups].sort()])
    const known = this.#made.get(key)
    if (known !== undefined) return known
    const made = makeDocument(openApiDocument(this.#models, this.#others, identity))
    this.#made.set(key, made)
    made.catch(() => this.#made.delete(key))
    forgetOldest(this.#made, REMEMBERED_MAX)
    return made
  }
}

/** Whether a client says that it has what this tag names. */
export function hasTag(header: string | undefined, tag: string): boolean {
  const bare = (text: string): string => text.trim().replace(/^W\//, '')
  return header?.split(',').some((each) => each.trim() === '*' || bare(each) === bare(tag)) === true
}

async function makeDocument(document: object): Promise<SentDocument> {
  const json = Buffer.from(JSON.stringify(document))
  const tag = `W/"${hash('sha256', json, 'base64url')}"`
  return { tag, json, gzip: await compress(json) }
}
