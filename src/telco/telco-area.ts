import type { FastifyInstance } from 'fastify'
import type { Area } from '../area.ts'
import type { Database } from '../database/database.ts'
import type { Inbox } from '../deliveries/inbox/inbox.ts'
import { explainMethod } from '../deliveries/log/explain.ts'
import type { JobKind } from '../jobs/queue.ts'
import { explainCallMethod } from '../ledger/timeline/explain-call.ts'
import type { Logger } from '../log.ts'
import { FULL, NO_RIGHTS, rightsOf } from '../platform/access/access.ts'
import { inviteMethods } from '../platform/identity/invite.ts'
import type { MediaStore } from '../platform/media/media-store.ts'
import type { AgentConnector } from '../ports/agent-connector.ts'
import type { TelcoClient } from '../ports/telco-client.ts'
import { syncJobs } from '../sync/jobs.ts'
import { accountSettings } from './account/account-settings.ts'
import { debugModel } from './account/debug.ts'
import { callPricesJob } from './account/fetch-prices.ts'
import { markupModel } from './applications/application.ts'
import { seedApplications } from './applications/seed.ts'
import { outgoingCalleridModel } from './caller-ids/outgoing-callerid.ts'
import { businessHoursModel, holidayModel, openingModel } from './callflows/business-hours.ts'
import { callflowChoiceModel, callflowModel } from './callflows/callflow.ts'
import { speechSettings } from './callflows/speech-settings.ts'
import { callSettings } from './calls/call-settings.ts'
import { type LaterParts, openLater } from './calls/open-later.ts'
import { telcoOperations } from './described-routes.ts'
import { extenModel } from './extensions/extension.ts'
import { sendMessageJob } from './messages/deliver-message.ts'
import { MESSAGE_MEDIA_OPERATION, messageMediaRoute } from './messages/media-route.ts'
import { messageConfigurationModel } from './messages/message-configuration.ts'
import { numberModel } from './numbers/number.ts'
import { ownNumbers } from './numbers/renumber-numbers.ts'
import { outgoingCountModel } from './outgoing/outgoing-count.ts'
import { outgoingLimits } from './outgoing/outgoing-settings.ts'
import { favoriteModel } from './phone-users/favorite.ts'
import { givePhone } from './phone-users/give-phone.ts'
import { pbxUserModel } from './phone-users/phone-user.ts'
import { phoneUserOf } from './phone-users/phone-user-of.ts'
import { userCallflowCallModel, userCallflowModel } from './phone-users/user-callflow.ts'
import { MEDIA_OPERATIONS } from './recordings/described-media.ts'
import { recordingDownloadJob, voicemailDownloadJob } from './recordings/download-audio.ts'
import { recordingDetailsJob } from './recordings/fetch-recording.ts'
import { recordingMediaRoutes } from './recordings/media-routes.ts'
import type { DialPlans } from './routing/dial-plans.ts'
import { phoneDirectory } from './routing/phone-directory.ts'
import { whyHeard } from './sentences/heard-sentence.ts'
import { domainModel } from './sip-domains/domain.ts'
import { telcoButtons, telcoSyncOperations } from './sync/buttons.ts'
import { TELCO_RESOURCES, TELCO_SYNC } from './sync/provider.ts'
import type { TelcoParts } from './sync/telco.ts'
import { explainLogged, explainSignatureMethod } from './webhooks/explain.ts'
import { telcoConsumers } from './webhooks/failed-events.ts'
import { GatheredRecords } from './webhooks/gathered-records.ts'
import { telcoTable } from './webhooks/telco-webhooks.ts'
import { contentTemplateModel } from './whatsapp/content-template.ts'
import { seedContentTemplates } from './whatsapp/seed.ts'
import { whatsappSenderModel } from './whatsapp/whatsapp-sender.ts'

interface Parts extends LaterParts {
  client: TelcoClient
  account: TelcoParts['account']
  media: MediaStore
  dialPlans: DialPlans
}

interface WebhookParts {
  db: Pick<Database, 'kind'>
  log: Logger
  connector: AgentConnector
  inbox: Inbox
  dialPlans: DialPlans
}

/** Telephones and messages, and the provider that carries them. */
export const telcoArea = {
  models: [
    [pbxUserModel, rightsOf('r', FULL, 'r', '-')],
    [favoriteModel, rightsOf(FULL, FULL, '-', '-')],
    [debugModel, rightsOf('-', FULL, 'rc', '-')],
    // The service's own count of the day.
    [outgoingCountModel, NO_RIGHTS],
    [extenModel, rightsOf('r', FULL, 'r', '-')],
    [callflowModel, rightsOf('r', FULL, 'r', '-')],
    [callflowChoiceModel, rightsOf('r', FULL, 'r', '-')],
    [businessHoursModel, rightsOf('r', FULL, 'r', '-')],
    [openingModel, rightsOf('r', FULL, 'r', '-')],
    [holidayModel, rightsOf('r', FULL, 'r', '-')],
    [numberModel, rightsOf('r', FULL, 'r', '-')],
    [outgoingCalleridModel, rightsOf('r', FULL, 'rw', '-')],
    [userCallflowModel, rightsOf('r', FULL, '-', '-')],
    [userCallflowCallModel, rightsOf('r', FULL, '-', '-')],
    [messageConfigurationModel, rightsOf('-', FULL, '-', '-')],
    [markupModel, rightsOf('r', FULL, 'r', '-')],
    [domainModel, rightsOf('r', FULL, 'r', '-')],
    [whatsappSenderModel, rightsOf('r', FULL, 'rwc', '-')],
    [contentTemplateModel, rightsOf('r', FULL, '-', '-')],
  ],
  extensions: {
    'res.partner': phoneUserOf('contact'),
    'res.users': { ...phoneUserOf('login'), methods: inviteMethods({ givePhone }) },
    'connect.call': {
      methods: {
        explain: explainCallMethod({
          whyHeard,
          hasCredentials: ({ settings: { accountSid, authToken } }) =>
            accountSid !== undefined && authToken !== undefined,
        }),
      },
    },
    'connect.delivery': { methods: { explain: explainMethod({ telco: explainLogged }) } },
  },
  resources: TELCO_RESOURCES,
  settings: [
    { fields: callSettings },
    outgoingLimits,
    accountSettings,
    speechSettings,
    { methods: { explain_signature: explainSignatureMethod } },
    telcoButtons,
  ],
  writers: {
    'connect.settings': {
      call_duration_limit: 'administrators',
      speech_language: 'administrators',
      // What a stolen key of an administrator can cost.
      barred_prefixes: 'managers',
      mobile_countries: 'managers',
      calls_a_day: 'managers',
      calls_a_day_of_user: 'managers',
      messages_a_day: 'managers',
      messages_a_day_of_user: 'managers',
      // Whose calls these are, with which secrets: the two go together, and only Twilio's own hosts are asked with them.
      account_sid: 'administrators',
      auth_token: 'managers',
      telco_api_key: 'administrators',
      telco_api_secret: 'managers',
      telco_balance: 'service',
      telco_region: 'administrators',
      telco_edge: 'administrators',
      telco_auto_sync: 'administrators',
      telco_verify_requests: 'managers',
      telco_verification_warning: 'service',
      fetch_call_prices: 'administrators',
      display_auth_token: 'managers',
      display_telco_api_secret: 'managers',
    },
    'res.users': { connect_user: 'service' },
  },
  async seed(tx) {
    await seedApplications(tx)
    await seedContentTemplates(tx)
  },
  numbered: [ownNumbers],
  webhooks: ({ db, log, connector, inbox, dialPlans }: WebhookParts) => [
    telcoTable({
      context: { log, connector },
      inbox,
      dialPlans,
      records: new GatheredRecords(db.kind, (env) => dialPlans.inForce(env)),
    }),
  ],
  consumers: () => telcoConsumers,
  memory: ({ dialPlans }: Parts) => [dialPlans],
  operations: (parts: Parts) => [
    telcoOperations({ client: parts.client, directory: phoneDirectory }),
    telcoSyncOperations(parts),
  ],
  routes(http: FastifyInstance, parts: Parts) {
    recordingMediaRoutes(http, parts)
    messageMediaRoute(http, parts)
  },
  described: [...MEDIA_OPERATIONS, MESSAGE_MEDIA_OPERATION],
  jobs({ client, media, account, db, platform, identities }: Parts) {
    const open = openLater({ db, platform, identities })
    return [
      recordingDetailsJob(open, client),
      recordingDownloadJob({ open, client, media }),
      voicemailDownloadJob({ open, client, media }),
      sendMessageJob(open, client),
      callPricesJob(open, client),
      ...syncJobs(TELCO_SYNC, { db, platform, identities, account }),
    ] as JobKind[]
  },
} satisfies Area
