import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StormSkipped, type Weather } from './storm.ts'

const MEGABYTE = 1024 ** 2
const FILLER = 'filler'

/** A disk of its own, in memory, which can be filled and made free again. */
export interface SmallDisk {
  folder: string
  readonly freeBytes: number
  /** Takes all room but so much. */
  fillBut(freeMegabytes: number): void
  free(): void
}

/** Mounts a small disk on a folder; skips the storm where mounting is not allowed. */
export function mountSmallDisk({ afterwards }: Weather, folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    throw new StormSkipped('a small disk cannot be mounted here: it takes root and the right to mount')
  }
  afterwards(() => execFileSync('umount', ['-l', folder], { stdio: 'pipe' }))
  const filler = path.join(folder, FILLER)
  const readFree = (): number => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  return {
    folder,
    get freeBytes() {
      return readFree()
    },
    fillBut(freeMegabytes) {
      rmSync(filler, { force: true })
      const bytes = readFree() - freeMegabytes * MEGABYTE
      try {
        if (bytes > 0) writeFileSync(filler, Buffer.alloc(bytes))
      } catch {
        // Others write as well; what they took meanwhile need not be filled.
      }
    },
    free: () => rmSync(filler, { force: true }),
  }
}
