import type { FastifyInstance } from 'fastify'
import type { Area } from '../area.ts'
import { FULL, type GroupRights, NO_RIGHTS } from './access/access.ts'
import { GROUP } from './access/identity.ts'
import { attachmentModel } from './attachments/attachment.ts'
import { ATTACHMENT_OPERATIONS, attachmentRoutes } from './attachments/attachment-routes.ts'
import { auditModel } from './audit/audit-model.ts'
import { messageModel } from './chatter/chatter.ts'
import { countryModel, languageModel, seedGeography } from './geography/geography.ts'
import { apiKeyModel } from './identity/api-keys.ts'
import { groupWords } from './identity/group-words.ts'
import { invitationModel } from './identity/invitation.ts'
import { INVITATION_OPERATIONS, invitationRoutes } from './identity/invitation-routes.ts'
import { ONE_TIME_OPERATIONS, type OneTimeLinks, oneTimeRoutes } from './identity/one-time-links.ts'
import { knownNetworkModel } from './identity/passwords/known-networks.ts'
import { recoveryCodeModel, secondFactorModel } from './identity/second-factor/second-factor.ts'
import { SECOND_FACTOR_OPERATIONS } from './identity/second-factor/second-factor-routes.ts'
import { SESSION_OPERATIONS } from './identity/session-operations.ts'
import { sessionRoutes } from './identity/session-routes.ts'
import { sessionModel } from './identity/sessions.ts'
import { signInSettings } from './identity/sign-in-settings.ts'
import { signOnModel } from './identity/single-sign-on/sign-on.ts'
import { SIGN_ON_OPERATIONS } from './identity/single-sign-on/sign-on-routes.ts'
import { groupModel } from './identity/users.ts'
import { LIVE_OPERATIONS, liveRoutes } from './live/live-routes.ts'
import { extend } from './model/extend.ts'
import { noticeModel } from './notices/notice.ts'
import { seedModel } from './records/seed-once.ts'
import { viewModel } from './views/view.ts'

const INTERNAL_READS: GroupRights = { [GROUP.internal]: 'r', [GROUP.webhook]: 'r', [GROUP.manager]: FULL }
const ADMINS_READ = { [GROUP.connectAdmin]: 'r' }

type Parts = Parameters<typeof sessionRoutes>[1] &
  Parameters<typeof invitationRoutes>[1] &
  Parameters<typeof attachmentRoutes>[1] &
  Parameters<typeof liveRoutes>[1] & { links: OneTimeLinks }

/** What every record needs, and the people who sign in. */
export const platformArea = {
  models: [
    [countryModel, INTERNAL_READS],
    [languageModel, INTERNAL_READS],
    [extend(groupModel, { fields: groupWords }), INTERNAL_READS],
    [invitationModel, { [GROUP.manager]: 'r' }],
    [apiKeyModel, { [GROUP.internal]: 'rd', [GROUP.manager]: 'rd' }],
    [sessionModel, { [GROUP.internal]: 'r' }],
    [secondFactorModel, NO_RIGHTS],
    [knownNetworkModel, NO_RIGHTS],
    [recoveryCodeModel, NO_RIGHTS],
    [signOnModel, NO_RIGHTS],
    [
      messageModel,
      {
        ...ADMINS_READ,
        [GROUP.connectUser]: 'r',
        [GROUP.webhook]: 'c',
        [GROUP.helpdeskUser]: 'r',
        [GROUP.helpdeskManager]: 'r',
      },
    ],
    [attachmentModel, NO_RIGHTS],
    // Its person's, administrators' too; changed by its own methods only.
    [noticeModel, { [GROUP.internal]: 'r' }],
    // Nobody writes who changed what.
    [auditModel, ADMINS_READ],
    [seedModel, NO_RIGHTS],
    // One's own; those of everybody are an administrator's (platform/views).
    [viewModel, { [GROUP.internal]: FULL }],
  ],
  settings: [signInSettings],
  writers: {
    'connect.settings': {
      name: 'service',
      api_url: 'managers',
      api_fallback_url: 'managers',
      country_id: 'administrators',
      company_name: 'administrators',
      tz: 'administrators',
      secrets_set: 'service',
      instance_uid: 'service',
      was_set_up: 'service',
      debug_mode: 'administrators',
      delivery_keep_days: 'administrators',
      number_search_operation: 'administrators',
      require_second_factor: 'managers',
      sso_issuer: 'managers',
      sso_client_id: 'managers',
      sso_client_secret: 'managers',
      sso_label: 'managers',
      sso_create_users: 'managers',
      sso_group_claim: 'managers',
      display_sso_client_secret: 'managers',
    },
  },
  seed: seedGeography,
  memory: ({ platform: { settings }, identities }: Parts) => [settings, identities],
  routes(http: FastifyInstance, parts: Parts) {
    sessionRoutes(http, parts)
    invitationRoutes(http, parts)
    oneTimeRoutes(http, parts, parts.links)
    attachmentRoutes(http, parts)
    liveRoutes(http, parts)
  },
  described: [
    ...SESSION_OPERATIONS,
    ...SECOND_FACTOR_OPERATIONS,
    ...SIGN_ON_OPERATIONS,
    ...INVITATION_OPERATIONS,
    ...ONE_TIME_OPERATIONS,
    ...LIVE_OPERATIONS,
    ...ATTACHMENT_OPERATIONS,
  ],
} satisfies Area
