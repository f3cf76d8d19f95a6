import type { Area } from '../area.ts'
import { FULL, type GroupRights } from '../platform/access/access.ts'
import { GROUP } from '../platform/access/identity.ts'
import { ticketNumbers } from './tickets/renumber-tickets.ts'
import { seedHelpdesk } from './tickets/seed.ts'
import { stageModel, teamModel, ticketModel } from './tickets/ticket.ts'
import { helpdeskTools } from './tools/tools.ts'

const SETUP: GroupRights = { [GROUP.webhook]: 'r', [GROUP.helpdeskUser]: 'r', [GROUP.helpdeskManager]: FULL }

/** Tickets. */
export const helpdeskArea = {
  models: [
    [teamModel, SETUP],
    [stageModel, SETUP],
    [ticketModel, { [GROUP.webhook]: 'rwc', [GROUP.helpdeskUser]: 'rwc', [GROUP.helpdeskManager]: FULL }],
  ],
  numbered: [ticketNumbers],
  tools: helpdeskTools,
  seed: seedHelpdesk,
} satisfies Area
