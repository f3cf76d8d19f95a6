import { attendanceModel, eventModel, workingHoursModel } from '../calendar/models.ts'
import { countryModel, languageModel } from '../contacts/geography.ts'
import { partnerModel } from '../contacts/partner.ts'
import { renumberingModel, withRenumbering } from '../contacts/renumbering.ts'
import { deliveryModel, inboxModel } from '../deliveries/delivery-model.ts'
import { explainMethod } from '../deliveries/explain.ts'
import { toolAnswerModel } from '../deliveries/tool-answers.ts'
import { stageModel, teamModel, ticketModel } from '../helpdesk/models/ticket.ts'
import { leaseModel } from '../jobs/lease.ts'
import { syncRunModel } from '../jobs/sync-run.ts'
import { mediaRemovalModel } from '../ledger/media-removal.ts'
import { callModel } from '../ledger/models/call.ts'
import { channelModel } from '../ledger/models/channel.ts'
import { textMessageModel } from '../ledger/models/message.ts'
import { recordingModel } from '../ledger/models/recording.ts'
import { voicemailModel } from '../ledger/models/voicemail.ts'
import { messageModel } from '../platform/chatter.ts'
import { sessionModel } from '../platform/identity/sessions.ts'
import type { Model, Operations } from '../platform/model.ts'
import { settingsModel } from '../platform/models/settings.ts'
import { apiKeyModel, groupModel, userModel } from '../platform/models/users.ts'
import { Models } from '../platform/models.ts'
import { withPhoneUser } from '../telco/models/phone-user-of.ts'
import { telcoModels } from '../telco/models.ts'
import { withTelcoButtons } from '../telco/sync/buttons.ts'
import { explainLogged, explainSignatureMethod } from '../telco/webhooks/explain.ts'
import { voiceaiModels } from '../voiceai/models.ts'
import { withVoiceaiButtons } from '../voiceai/sync/buttons.ts'
import { seedModel } from './seed-once.ts'

/** Every model of the service, area by area. */
export const ALL_MODELS: readonly Model[] = [
  countryModel,
  languageModel,
  withPhoneUser(partnerModel, 'contact'),
  groupModel,
  withPhoneUser(userModel, 'login'),
  apiKeyModel,
  sessionModel,
  withTelcoButtons(
    withVoiceaiButtons(
      withRenumbering({
        ...settingsModel,
        methods: { ...settingsModel.methods, explain_signature: explainSignatureMethod },
      }),
    ),
  ),
  renumberingModel,
  messageModel,
  workingHoursModel,
  attendanceModel,
  eventModel,
  teamModel,
  stageModel,
  ticketModel,
  callModel,
  channelModel,
  recordingModel,
  voicemailModel,
  mediaRemovalModel,
  textMessageModel,
  { ...deliveryModel, methods: { explain: explainMethod({ telco: explainLogged }) } },
  inboxModel,
  toolAnswerModel,
  leaseModel,
  syncRunModel,
  seedModel,
  ...voiceaiModels,
  ...telcoModels,
]

/** The registry that every part of the service looks models up in. */
export function createModels(...operations: readonly Operations[]): Models {
  const added = (name: string): Operations[string] => Object.assign({}, ...operations.map((each) => each[name]))
  return new Models(ALL_MODELS.map((model) => ({ ...model, methods: { ...model.methods, ...added(model.name) } })))
}
