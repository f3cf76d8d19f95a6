import type { Model } from '../platform/model.ts'
import { businessHoursModel, holidayModel, openingModel } from './models/business-hours.ts'
import { callflowChoiceModel, callflowModel } from './models/callflow.ts'
import { contentTemplateModel } from './models/content-template.ts'
import { debugModel } from './models/debug.ts'
import { domainModel } from './models/domain.ts'
import { extenModel } from './models/exten.ts'
import { favoriteModel } from './models/favorite.ts'
import { markupModel } from './models/markup.ts'
import { messageConfigurationModel } from './models/message-configuration.ts'
import { numberModel } from './models/number.ts'
import { outgoingCalleridModel } from './models/outgoing-callerid.ts'
import { pbxUserModel } from './models/pbx-user.ts'
import { userCallflowCallModel, userCallflowModel } from './models/user-callflow.ts'
import { whatsappSenderModel } from './models/whatsapp-sender.ts'

/** What the telephony area stores. */
export const telcoModels: Model[] = [
  pbxUserModel,
  favoriteModel,
  debugModel,
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
