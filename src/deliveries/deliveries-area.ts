import type { Area } from '../area.ts'
import { NO_RIGHTS } from '../platform/access/access.ts'
import { GROUP } from '../platform/access/identity.ts'
import { inboxModel } from './inbox/inbox-model.ts'
import type { LastSettings } from './inbox/last-settings.ts'
import { deliveryModel } from './log/delivery-model.ts'
import { replayOperations } from './replay/operations.ts'
import { toolAnswerModel } from './tools/tool-answers.ts'

// They hold callers' words: administrators only, and nobody edits them by hand.
const ADMINS_READ = { [GROUP.connectAdmin]: 'r' }

/** What providers sent, and what waits to be worked on. */
export const deliveriesArea = {
  models: [
    [deliveryModel, ADMINS_READ],
    [inboxModel, ADMINS_READ],
    [toolAnswerModel, NO_RIGHTS],
  ],
  memory: ({ lastSettings }: { lastSettings: LastSettings }) => [lastSettings],
  operations: ({ replays }: { replays: Parameters<typeof replayOperations>[0] }) => [replayOperations(replays)],
} satisfies Area
