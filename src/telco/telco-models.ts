import type { Model } from '../platform/model/model.ts'
import { debugModel } from './account/debug.ts'
import { markupModel } from './applications/application.ts'
import { outgoingCalleridModel } from './caller-ids/outgoing-callerid.ts'
import { businessHoursModel, holidayModel, openingModel } from './callflows/business-hours.ts'
import { callflowChoiceModel, callflowModel } from './callflows/callflow.ts'
import { extenModel } from './extensions/extension.ts'
import { messageConfigurationModel } from './messages/message-configuration.ts'
import { numberModel } from './numbers/number.ts'
import { outgoingCountModel } from './outgoing/outgoing-count.ts'
import { favoriteModel } from './phone-users/favorite.ts'
import { pbxUserModel } from './phone-users/phone-user.ts'
import { userCallflowCallModel, userCallflowModel } from './phone-users/user-callflow.ts'
import { domainModel } from './sip-domains/domain.ts'
import { contentTemplateModel } from './whatsapp/content-template.ts'
import { whatsappSenderModel } from './whatsapp/whatsapp-sender.ts'

/** What the telephony area stores. */
export const telcoModels: Model[] = [
  pbxUserModel,
  favoriteModel,
  debugModel,
  outgoingCountModel,
  extenModel,
  callflowModel,
  callflowChoiceModel,
  businessHoursModel,
  openingModel,
  holidayModel,
  numberModel,
  outgoingCalleridModel,
  userCallflowModel,
  userCallflowCallModel,
  messageConfigurationModel,
  markupModel,
  domainModel,
  whatsappSenderModel,
  contentTemplateModel,
]
