import type { Area } from '../area.ts'
import { NO_RIGHTS } from '../platform/access/access.ts'
import { GROUP } from '../platform/access/identity.ts'
import { jobModel, jobOperations } from './job-model.ts'
import { leaseModel } from './lease.ts'

/** The queue. */
export const jobsArea = {
  models: [
    [leaseModel, NO_RIGHTS],
    [jobModel, { [GROUP.connectAdmin]: 'r' }],
  ],
  operations: ({ wakeJobs }: { wakeJobs: (kind: string) => void }) => [jobOperations(wakeJobs)],
} satisfies Area
