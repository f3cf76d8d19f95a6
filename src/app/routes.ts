import type { FastifyInstance } from 'fastify'
import { webhookOperations } from '../deliveries/webhooks/described-webhooks.ts'
import { Room, UNVERIFIED_MEMORY_BYTES_MAX } from '../deliveries/webhooks/unverified-bytes.ts'
import { webhookRoutes } from '../deliveries/webhooks/webhook-routes.ts'
import { WebhookRunner } from '../deliveries/webhooks/webhook-runner.ts'
import type { ApiOperation } from '../platform/api/api-operation.ts'
import { rpcRoutes } from '../platform/api/rpc-routes.ts'
import { ATTACHMENT_OPERATIONS, attachmentRoutes } from '../platform/attachments/attachment-routes.ts'
import { INVITATION_OPERATIONS, invitationRoutes } from '../platform/identity/invitation-routes.ts'
import { ONE_TIME_OPERATIONS, type OneTimeLinks, oneTimeRoutes } from '../platform/identity/one-time-links.ts'
import { SECOND_FACTOR_OPERATIONS } from '../platform/identity/second-factor/second-factor-routes.ts'
import { SESSION_OPERATIONS } from '../platform/identity/session-operations.ts'
import { sessionRoutes } from '../platform/identity/session-routes.ts'
import { SIGN_ON_OPERATIONS } from '../platform/identity/single-sign-on/sign-on-routes.ts'
import { LIVE_OPERATIONS, liveRoutes } from '../platform/live/live-routes.ts'
import type { SettingsSnapshot } from '../platform/settings/settings.ts'
import { MESSAGE_MEDIA_OPERATION, messageMediaRoute } from '../telco/messages/media-route.ts'
import { MEDIA_OPERATIONS } from '../telco/recordings/described-media.ts'
import { recordingMediaRoutes } from '../telco/recordings/media-routes.ts'
import { phoneDirectory } from '../telco/routing/phone-directory.ts'
import { agentConnector } from '../voiceai/conversations/register-call.ts'
import { speechFileRoutes } from '../voiceai/speech/speech-files.ts'
import { VOICE_PREVIEW_OPERATION, voicePreviewRoute } from '../voiceai/voices/preview-route.ts'
import { HEALTH_OPERATIONS, operationsRoutes } from './health-routes.ts'
import { otherAnswers } from './not-found.ts'
import { servePage } from './page/page-routes.ts'
import { type Built, servedBuild } from './parts.ts'
import { SEARCH_OPERATIONS, searchRoutes } from './search/search-routes.ts'
import { isEmulated } from './set-up/set-up-operations.ts'
import { featuresOf } from './settings.ts'
import { findPerson } from './signed-in/person.ts'
import { Storage } from './storage.ts'
import { webhookTables } from './webhooks/webhook-tables.ts'

/** Every address that is answered. */
export function serve(http: FastifyInstance, built: Built, links: OneTimeLinks): void {
  const {
    config,
    db,
    log,
    platform,
    identities,
    lastSettings,
    deliveries,
    rejections,
    metrics,
    media,
    client,
    agents,
    inbox,
    jobs,
    page,
    triedTools: { trials },
  } = built
  otherAnswers(http, log, servePage(http, { db, build: page, voiceaiBaseUrl: config.voiceaiBaseUrl }))
  const observe = metrics.observe.bind(metrics)
  const runner = new WebhookRunner({ platform, lastSettings, db, identities, deliveries, rejections, trials, observe })
  const memory = new Room(UNVERIFIED_MEMORY_BYTES_MAX)
  const { voiceaiBaseUrl: baseUrl } = config
  const connector = agentConnector({ platform, db, identities, directory: phoneDirectory, agents, baseUrl })
  const tables = webhookTables(built, { client, connector })
  webhookRoutes(http, { runner, memory }, tables)
  speechFileRoutes(http, { db })
  recordingMediaRoutes(http, { platform, db, identities, media, client })
  const features = (settings: SettingsSnapshot) => ({ ...featuresOf(settings), emulated: isEmulated(config) })
  messageMediaRoute(http, { platform, db, identities, client })
  voicePreviewRoute(http, { platform, db, identities, baseUrl: config.voiceaiBaseUrl })
  rpcRoutes(http, { platform, db, identities }, describedWith(tables))
  sessionRoutes(http, { platform, db, identities, findPerson, featuresOf: features, build: () => servedBuild(page) })
  invitationRoutes(http, { platform, db, identities, findPerson })
  oneTimeRoutes(http, { platform, db, identities }, links)
  attachmentRoutes(http, { platform, db, identities, media })
  searchRoutes(http, { platform, db, identities })
  liveRoutes(http, { platform, identities, live: built.live })
  const storage = new Storage({ db, inbox, media })
  storage.register(metrics)
  operationsRoutes(http, { db, jobs, metrics, storage, metricsToken: config.metricsToken })
}

/** Every address as the API document shows it. */
function describedWith(tables: Parameters<typeof webhookOperations>[0]): ApiOperation[] {
  return [
    ...SESSION_OPERATIONS,
    ...SECOND_FACTOR_OPERATIONS,
    ...SIGN_ON_OPERATIONS,
    ...INVITATION_OPERATIONS,
    ...ONE_TIME_OPERATIONS,
    ...SEARCH_OPERATIONS,
    ...LIVE_OPERATIONS,
    ...ATTACHMENT_OPERATIONS,
    ...HEALTH_OPERATIONS,
    ...MEDIA_OPERATIONS,
    MESSAGE_MEDIA_OPERATION,
    VOICE_PREVIEW_OPERATION,
    ...webhookOperations(tables),
  ]
}
