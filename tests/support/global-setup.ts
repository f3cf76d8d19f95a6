// Runs once before all test files of one vitest run, and once after them.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { prepareTemplate } from './database.ts'
import { makeFastFolder } from './postgres-server.ts'
import { root } from './source-files.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The prepared database folder of this run; test files copy it, best beside it, and never write to it. */
    template: string
  }
}

let folder: string | undefined

export async function setup(project: TestProject): Promise<void> {
  writeMissingTypes()
  // The folder of tests/run.ts is removed even when this run is interrupted.
  const place = process.env.TEST_FOLDER
  folder = place ? mkdtempSync(path.join(place, 'suite-')) : makeFastFolder('connect-tests-')
  const template = path.join(folder, 'template')
  await prepareTemplate(template)
  project.provide('template', template)
}

/** What tests/run.ts has written anew; a bare `vitest` in a fresh clone has not. */
function writeMissingTypes(): void {
  if (existsSync(path.join(root, 'web/data/models.gen.ts'))) return
  execFileSync(process.execPath, ['scripts/make-web-models.ts'], { cwd: root })
}

export function teardown(): void {
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
