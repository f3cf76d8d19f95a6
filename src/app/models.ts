import { eventModel } from '../calendar/events/event.ts'
import { attendanceModel, workingHoursModel } from '../calendar/slots/working-hours.ts'
import { erasureModel } from '../contacts/erasure.ts'
import { partnerModel } from '../contacts/partner.ts'
import { userContacts } from '../contacts/user-contacts.ts'
import { inboxModel } from '../deliveries/inbox/inbox-model.ts'
import { deliveryModel } from '../deliveries/log/delivery-model.ts'
import { explainMethod } from '../deliveries/log/explain.ts'
import { toolAnswerModel } from '../deliveries/tools/tool-answers.ts'
import { stageModel, teamModel, ticketModel } from '../helpdesk/tickets/ticket.ts'
import { jobModel } from '../jobs/job-model.ts'
import { leaseModel } from '../jobs/lease.ts'
import { callModel } from '../ledger/calls/call.ts'
import { channelModel } from '../ledger/legs/leg.ts'
import { conversationModel, readerModel } from '../ledger/messages/conversation.ts'
import { textMessageModel } from '../ledger/messages/message.ts'
import { mediaRemovalModel } from '../ledger/recordings/media-removal.ts'
import { recordingModel } from '../ledger/recordings/recording.ts'
import { explainCallMethod } from '../ledger/timeline/explain-call.ts'
import { voicemailModel } from '../ledger/voicemails/voicemail.ts'
import { attachmentModel } from '../platform/attachments/attachment.ts'
import { auditModel } from '../platform/audit/audit-model.ts'
import { messageModel } from '../platform/chatter/chatter.ts'
import { countryModel, languageModel } from '../platform/geography/geography.ts'
import { apiKeyModel } from '../platform/identity/api-keys.ts'
import { groupWords } from '../platform/identity/group-words.ts'
import { invitationModel } from '../platform/identity/invitation.ts'
import { inviteMethods } from '../platform/identity/invite.ts'
import { knownNetworkModel } from '../platform/identity/passwords/known-networks.ts'
import { recoveryCodeModel, secondFactorModel } from '../platform/identity/second-factor/second-factor.ts'
import { sessionModel } from '../platform/identity/sessions.ts'
import { signOnModel } from '../platform/identity/single-sign-on/sign-on.ts'
import { groupModel, userModelWith } from '../platform/identity/users.ts'
import { Models } from '../platform/model/declaration.ts'
import { extend } from '../platform/model/extend.ts'
import type { Model, Operations } from '../platform/model/model.ts'
import { withWriters } from '../platform/model/writers.ts'
import { noticeModel } from '../platform/notices/notice.ts'
import { seedModel } from '../platform/records/seed-once.ts'
import { viewModel } from '../platform/views/view.ts'
import { syncRunModel } from '../sync/sync-run.ts'
import { givePhone } from '../telco/phone-users/give-phone.ts'
import { withPhoneUser } from '../telco/phone-users/phone-user-of.ts'
import { whyHeard } from '../telco/sentences/heard-sentence.ts'
import { telcoModels } from '../telco/telco-models.ts'
import { explainLogged } from '../telco/webhooks/explain.ts'
import { voiceaiModels } from '../voiceai/voiceai-models.ts'
import { ACCESS } from './access.ts'
import { checkRunModel } from './checks/check-run.ts'
import { erasing } from './person/erase.ts'
import { exportPerson } from './person/export-person.ts'
import { story } from './person/story.ts'
import { settingsModel } from './settings.ts'
import { USER_WRITERS } from './writers.ts'

/** Every model of the service, area by area. */
const ALL_MODELS: readonly Model[] = [
  countryModel,
  languageModel,
  withPhoneUser(extend(partnerModel, { methods: { ...erasing, story, export_person: exportPerson } }), 'contact'),
  extend(groupModel, { fields: groupWords }),
  withWriters(
    withPhoneUser(extend(userModelWith(userContacts), { methods: inviteMethods({ givePhone }) }), 'login'),
    USER_WRITERS,
  ),
  invitationModel,
  apiKeyModel,
  sessionModel,
  secondFactorModel,
  knownNetworkModel,
  recoveryCodeModel,
  signOnModel,
  settingsModel,
  erasureModel,
  messageModel,
  attachmentModel,
  noticeModel,
  workingHoursModel,
  attendanceModel,
  eventModel,
  teamModel,
  stageModel,
  ticketModel,
  extend(callModel, {
    methods: {
      explain: explainCallMethod({
        whyHeard,
        hasCredentials: ({ settings: { accountSid, authToken } }) =>
          accountSid !== undefined && authToken !== undefined,
      }),
    },
  }),
  channelModel,
  recordingModel,
  voicemailModel,
  mediaRemovalModel,
  conversationModel,
  readerModel,
  textMessageModel,
  extend(deliveryModel, { methods: { explain: explainMethod({ telco: explainLogged }) } }),
  inboxModel,
  toolAnswerModel,
  leaseModel,
  jobModel,
  syncRunModel,
  auditModel,
  checkRunModel,
  seedModel,
  viewModel,
  ...voiceaiModels,
  ...telcoModels,
]

/** The registry that every part of the service looks models up in. */
export function createModels(...operations: readonly Operations[]): Models {
  const addedTo = ({ name }: Model) => operations.flatMap(({ [name]: methods }) => (methods ? [{ methods }] : []))
  const accessOf = ({ name }: Model) => (ACCESS[name] === undefined ? {} : { access: ACCESS[name] })
  return new Models(ALL_MODELS.map((model) => ({ ...extend(model, ...addedTo(model)), ...accessOf(model) })))
}
