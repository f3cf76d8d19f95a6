import type { FastifyInstance } from 'fastify'
import type { Area } from '../area.ts'
import type { Config } from '../config.ts'
import type { NumberedTable } from '../contacts/renumbering.ts'
import { GROUP } from '../platform/access/identity.ts'
import type { ApiParts } from '../platform/api/rpc-routes.ts'
import { type Backups, backupOperations } from './backup/backups.ts'
import { checkRunModel } from './checks/check-run.ts'
import { type CheckRuns, checkOperations } from './checks/check-runs.ts'
import { impactMethod } from './impact.ts'
import { contactJobs } from './person/contact-jobs.ts'
import { erasing } from './person/erase.ts'
import type { ErasureParts } from './person/erasure-job.ts'
import { exportPerson } from './person/export-person.ts'
import { story } from './person/story.ts'
import { SEARCH_OPERATIONS, searchRoutes } from './search/search-routes.ts'
import { setUpOperations } from './set-up/set-up-operations.ts'
import { upkeepJobs } from './upkeep-jobs.ts'

interface Parts extends ApiParts, ErasureParts {
  config: Config
  backups: Backups
  checks: CheckRuns
  numbered: readonly NumberedTable[]
}

/** What reaches into many areas: people who are searched, shown and erased, checks, backups, the set-up. */
export const appArea = {
  // Nobody writes what a look at the installation found.
  models: [[checkRunModel, { [GROUP.connectAdmin]: 'r' }]],
  extensions: { 'res.partner': { methods: { ...erasing, story, export_person: exportPerson } } },
  settings: [{ methods: { impact: impactMethod } }],
  operations: ({ backups, checks, config }: Parts) => [
    backupOperations(backups),
    checkOperations(checks),
    setUpOperations(config),
  ],
  routes(http: FastifyInstance, parts: Parts) {
    searchRoutes(http, parts)
  },
  described: SEARCH_OPERATIONS,
  jobs: (parts: Parts) => [...upkeepJobs(parts.db, parts.platform), ...contactJobs(parts)],
} satisfies Area
