/** Refusals that people meet on the page: German words for them are in `web/words/de/refusals.json`. `{{name}}` stands for what the sentence is about. */
export const FOR_PEOPLE = {
  // Rights.
  'no-right': 'You are not allowed to {{operation}} records of {{model}}.',

  // Rules of models.
  'drafts-full': 'You can keep {{max}} drafts of text messages. Send or delete one first.',
  'favorites-full': 'You can keep {{max}} favourites. Delete one first.',
  'field-of-own-draft': 'The field "{{name}}" of {{model}} can be changed in a draft of one’s own only.',
  'field-of-reported-record':
    'The field "{{name}}" of {{model}} is filled in automatically and cannot be changed by hand.',
  'hours-overlap': '"{{model}}.hour_from" overlaps other hours: {{day}} has {{one}} and {{other}}.',
  'login-taken': 'Someone already has this login.',
  'must-after': '"{{model}}.{{to}}" must be after "{{from}}".',
  'must-time-zone-europe-zurich': '"{{model}}.{{field}}" must be a time zone such as Europe/Zurich.',
  'required-when': '"{{model}}.{{name}}" is required {{says}}.',
  'set-by-service': 'The field "{{name}}" of {{model}} is set by the service.',
  'views-full': 'You can keep {{max}} saved views. Delete one first.',
  'you-may-name-nobody-but-yourself': 'In "{{name}}" of {{model}} you may name nobody but yourself.',

  // Records and searches.
  'answer-too-large-ask-for-fewer': 'The answer is too large. Ask for fewer records of {{model}}, or fewer fields.',
  'api-one-call-may-touch-at-most': 'One call may touch at most {{batch_rows}} records.',
  'api-writes-too-much': 'One call may write at most {{megabytes}} MB, counted for each record: send it in parts.',
  'bad-characters': '"{{path}}" has characters that cannot be stored.',
  'changed-inside-at-most': 'At most {{changed_inside_rows}} records inside another can be changed or removed at once.',
  'changed-meanwhile': '{{value}} has changed this record of {{model}} in the meantime.',
  'field-may-written-by-managers-only': 'The field "{{name}}" of {{model}} may be written by managers only.',
  'field-not-yours-read': 'You are not allowed to read the field "{{name}}" of {{model}}.',
  'field-not-yours-write': 'You are not allowed to change the field "{{name}}" of {{model}}.',
  'field-protected': 'The field "{{name}}" of {{model}} is protected.',
  'has-more-than-bytes': '"{{path}}" has more than {{binary_bytes}} bytes.',
  'names-record-does-not-exist': '"{{path}}" names a record of {{name}} that does not exist.',
  'no-record': 'There is no record {{id}} in {{model}}.',
  'no-record-inside': 'There is no record {{id}} of {{target}} in "{{field}}" of this record.',
  'no-such-record': 'There is no record {{named}} in {{model}}, or it is not yours to see.',
  'not-a-choice': '"{{path}}" must be one of: {{choices}}.',
  'not-boolean': '"{{path}}" must be true or false.',
  'not-date': '"{{path}}" must be a date written YYYY-MM-DD.',
  'not-date-time': '"{{path}}" must be a date and time in UTC written YYYY-MM-DD HH:MM:SS.',
  'not-number': '"{{path}}" must be a {{value}}number.',
  'not-record': '"{{path}}" must be the id of a record.',
  'not-text': '"{{path}}" must be a text.',
  'out-of-range': '"{{path}}" must be from {{min}} to {{max}}.',
  required: '"{{path}}" is required.',
  'same-value': 'Another record of {{model}} has the same {{columns}}.',
  'still-used': 'The record of {{model}} is still used by a record of {{user}}.',
  'still-used-somewhere': 'The record of {{model}} is still used, or names one that does not exist.',
  'too-long': '"{{path}}" has more than {{text_length}} characters.',
  'value-for-cannot-stored': 'A value for {{model}} cannot be stored.',
  'with-these-values-record-would-not': 'With these values the record of {{name}} would not be yours to see.',
  'wrong-shape': '"{{path}}" must be {{says}}.',
  'you-not-allowed-link': 'You are not allowed to link "{{path}}" to {{name}}.',

  // Calls of the API.
  'api-argument-not-usable': 'The argument "{{name}}" of {{path}} is not usable: {{value}}.',
  'api-body-too-large': 'The body is too large.',
  'database-unavailable-at-moment-try-again': 'The database is unavailable at the moment; try again.',
  'maybe-saved': 'The database went away while it saved this, and may have saved it: look before you try again.',
  'message-posted-on-one-record': 'A message is posted on one record.',
  'post-empty': 'The "body" of a message is blank: a message has a text, or a file.',
  'took-too-long':
    'This took too long. Narrow the search by a date, a contact or a status, ask for fewer records, or try again.',
  'value-has-characters-size-cannot-stored': 'A value has characters or a size that cannot be stored.',
  'you-not-allowed-call-this-method': 'You are not allowed to call this method of {{model}}.',

  // Users, sessions and keys.
  'accounts-in-browser': 'Accounts are linked in a browser, not with an API key.',
  'administrator-already-link-has-been-used': 'An administrator already exists, so this link no longer works.',
  'browser-signs-from-page-this-service': 'You can sign in only from a page of this service.',
  'code-wrong-or-used': 'The code is wrong, or has already been used.',
  'external-id-res-groups-cannot-changed': 'The "external_id" of res.groups cannot be changed.',
  'field-res-users-for-managers-only': 'Only user managers can change the field "{{name}}" of res.users.',
  'group-belongs-service-cannot-deleted': 'The group "{{external_id}}" belongs to the service and cannot be deleted.',
  'group-never-calls-of-agents': 'The group "{{external_id}}" cannot have the right to calls of agents.',
  'invitation-over':
    'This link is no longer valid. It works once, for seven days, and can be revoked. Ask the person who sent it for a new one.',
  'keys-full': 'A user can have {{max}} API keys. Delete one first.',
  'keys-other-users-for-managers-only': 'Only user managers can manage the API keys of other users.',
  'link-not-used': 'Another page opened this link, so it was not used. Paste it into the address bar yourself.',
  'link-not-valid-service-prints-when': 'This link is not valid. The service prints a valid one when it starts.',
  'login-password-wrong': 'The login or the password is wrong.',
  'nobody-signs-user-belongs-service': 'No one can sign in as a user that belongs to the service.',
  'one-time-link': 'This link is not valid. It works once, for 15 minutes.',
  'password-has-at-least-different-characters': 'The "password" needs at least {{different}} different characters.',
  'password-has-from-characters-blanks-not':
    'The "password" must have {{chars}} to {{chars2}} characters, not counting spaces.',
  'preferences-too-long': 'The "preferences" have at most {{chars}} characters as JSON.',
  'provider-unreachable': 'The provider cannot be reached at the moment.',
  'second-factor-first': 'Two-factor sign-in is required here. Set it up first.',
  'second-factor-in-browser': 'Two-factor sign-in is set up in a browser, not with an API key.',
  'second-factor-on': 'Two-factor sign-in is already on. Turn it off first.',
  'sign-in-took-too-long': 'This took too long. Sign in again.',
  'sign-send-api-key-authorization-bearer': 'Sign in, or send an API key: "Authorization: bearer <key>".',
  'sso-issuer-public':
    '"sso_issuer" must be a public address: this machine and its network count only with SSO_LOCAL_ISSUER=on.',
  'this-password-one-commonest-made-them': 'This "password" is too common. Choose another one.',
  'this-user-not-active-activate-them': 'This user is deactivated. Activate them first.',
  'too-many-failed-attempts-try-again': 'Too many failed attempts. Try again in 15 minutes.',
  'unknown-language': '"lang" is the code of a language of res.lang; {{lang}} is none.',
  'user-belongs-service-cannot-deleted': 'The user "{{login}}" belongs to the service and cannot be deleted.',
  'user-who-manager-kept-by-managers': 'Only a user manager can change a user manager.',
  'webhook-user-belongs-service-cannot-changed':
    'The "{{name}}" of the webhook user belongs to the service and cannot be changed.',
  'works-once': 'This address works once, when it is opened.',
  'wrong-code': "Wrong code. Check that your phone's clock is right.",
  'wrong-password': 'Wrong password.',

  // Notes, files, views, settings, streams.
  'api-must-address-https-connect-example-com':
    '"{{name}}" must be an address such as https://connect.example.com, without a query.',
  'at-most-streams-open-at-once': 'At most {{all}} streams are open at once; try again later.',
  'attachment-not-yours': 'One of the attachments does not exist, is on another note, or was sent by someone else.',
  'attachments-pending': 'You have sent many files that are not on a note yet. Post a note with them, or wait a day.',
  'connect-view-model-must-name-model': '"connect.view.model" must be the name of a model.',
  'connect-view-query-must-json-object':
    '"connect.view.query" must be a JSON object of at most {{query_chars}} characters.',
  'file-empty': 'The file is empty.',
  'file-late': 'No one is waiting for this file any more. Send it again.',
  'file-not-there': 'This file does not exist, or is not shared with you.',
  'file-too-large': 'Files can have up to {{megabytes}} MB.',
  'files-no-room': 'No files can be stored: the disk of the service is full.',
  'files-not-allowed': 'You are not allowed to send files.',
  'no-note-not-one-yours': 'This note does not exist, or is not yours.',
  'note-too-long': 'Notes can have up to {{kilobytes}} kB. Send longer text as a file.',
  'one-record-connect-settings-already-change': 'There is one record of connect.settings already: change that one.',
  'person-has-at-most-streams-open': 'You can have {{person}} pages open at once. Close one.',
  'service-stopping-try-again': 'The service is stopping. Try again in a moment.',
  'sign-stream-for-browser-with-session': 'Sign in: the stream is for a browser with a session.',
  'stream-has-no-argument': 'The stream has no argument {{name}}: it tells of whatever one may read.',
  'view-your-own-everybody-s-which':
    'A view is your own or everyone’s. Only administrators can create views for everyone.',

  // Jobs.
  'job-running': 'A job of {{kind}} is running at the moment.',

  // Synchronisation.
  'provider-failed': '{{sentence}}',
  'run-not-cancellable': 'This run can no longer be cancelled: it has ended, or the tools already have the new token.',
  'same-sync-running': 'This is already running. Wait until it has ended.',
  'sync-running': 'A sync with this provider is already running. Wait until it has ended.',

  // Webhooks.
  'delivery-asked-for-answer': 'Webhook {{id}} needed an answer at once. Only reports can be replayed.',
  'delivery-cut': 'The log keeps only the beginning of webhook {{id}}: {{kept}} of {{bytes}} bytes.',
  'delivery-not-served': 'Webhook {{id}} came to {{route}}, which this version does not serve.',
  'delivery-not-stored': 'The content of webhook {{id}} is no longer stored.',
  'delivery-unproven': 'Webhook {{id}} could not be verified, and nothing shows that it came from the provider.',
  'no-delivery': 'There is no webhook {{id}}.',

  // Calls and messages.
  'messages-cannot-kept-with-records': 'Messages cannot be kept with records of {{model}}.',
  'opted-out':
    '{{theirs}} has opted out of {{what}} from {{ours}} (STOP) on {{day}}. You can write again once they send START.',

  // Contacts.
  'companies-in-circle': '"res.partner.parent_id" cannot be a contact that belongs to this one.',
  'merge-contact-of-user': 'One of them is the contact of the user "{{user}}". Keep that one.',
  'merge-erasing': 'One of these contacts is being erased.',
  'merge-into-colleague':
    'The contact you keep belongs to the user "{{user}}". Only an administrator can merge into it.',
  'merge-kept-twice': 'The contact you keep cannot be one of the others.',
  'must-phone-number': '"{{path}}" must be a phone number such as +15550100001.',
  'must-phone-number-no-country':
    '"{{path}}" must be a phone number such as +15550100001 or, once the settings have a country, 079 555 01 74.',
  'not-phone-number': '"{{number}}" is not a phone number.',
  'res-partner-parent-id-cannot-contact': '"res.partner.parent_id" cannot be the contact itself.',

  // Calendar.
  'calendar-event-stop-must-less-than': '"calendar.event.stop" must be less than a year after its start.',
  'calendar-event-stop-must-not-before': '"calendar.event.stop" must not be before its start.',
  'no-colleague-with-id': 'There is no colleague with the id {{id}}.',
  'not-free-on': '{{name}} is not free on {{start}}.',
  'outside-working-hours-for': 'That is outside the working hours of {{name}}: {{start}}, for {{length}}.',
  'working-hours-twice': 'This user already has working hours.',

  // Helpdesk.
  'no-such-ticket': 'There is no such ticket.',
  'no-word-to-find': 'The "text" has no word to search for.',
  'stage-of-other-teams': '"helpdesk.ticket.stage_id": "{{stage}}" is a stage of other teams, and none of "{{team}}".',

  // Phone provider.
  'account-at-phone-provider': 'The account at Twilio is {{status}}.',
  'account-not-set': '"account_sid" and "auth_token" are not set: enter both in the settings first.',
  'account-sid-not-set': '"account_sid" is not set: enter it in the settings first.',
  'address-local': 'Invalid api url! Localhost is not allowed! Please use a valid and secure domain!',
  'address-not-https': 'Invalid api url! Please use HTTPS instead of HTTP to ensure a secure connection!',
  'area-not-readable': 'Write a town, an area code or how the number begins, not "{{area}}".',
  'ask-for-status-templates-at-time': 'Ask for the status of 1 to {{templates}} templates at a time.',
  'audio-cannot-fetched-from-phone-provider': 'The audio cannot be fetched from Twilio right now.',
  'auth-token-not-set': '"auth_token" is not set: enter it in the settings first.',
  'call-over': 'The call is over.',
  'caller-ids-can-validated-region-only': 'Caller IDs can be validated in the region {{region}} only.',
  'caller-not-a-number':
    'Nobody can call from "{{from}}": write a phone number, with its country where it is not of ours.',
  'calls-of-day-reached': 'The daily limit of calls is reached. A user manager can raise it in the settings.',
  'choice-digits-twice':
    '"connect.telco.callflow_choice.choice_digits": "{{digits}}" is a choice of the call flow "{{flow}}" already.',
  'choice-words-twice':
    '"connect.telco.callflow_choice.speech": "{{speech}}" is said for the choice {{digits}} of the call flow "{{flow}}" already.',
  'connect-message-content-template-cannot-changed':
    '"connect.message_content_template.{{name}}" cannot be changed while the template is {{status}}.',
  'connect-message-content-template-must-json': '"connect.message_content_template.{{name}}" must be a JSON {{shape}}.',
  'connect-telco-callflow-gather-hints':
    '"connect.telco.callflow.gather_hints" may hold at most {{max}} hints, not {{count}}.',
  'connect-telco-exten-dst-must-written':
    '"connect.telco.exten.dst" must be written "model,id", such as "connect.user,7".',
  'connect-telco-exten-res-id-must': '"connect.telco.exten.res_id" must be the id of a record of {{known}}.',
  'connect-telco-markup-markup-cannot-used': '"connect.telco.markup.markup" cannot be used: {{reason}}',
  'connect-telco-markup-method-can-only': '"connect.telco.markup.method" can only be "{{method}}" of "{{model}}".',
  'connect-telco-message-configuration-default-values':
    '"connect.telco.message_configuration.default_values" must be a JSON object such as {"comment": "From SMS"}.',
  'connect-user-password': '"connect.user.password" must contain {{missing}}.',
  'connect-user-user-must-internal-user': '"connect.user.user" must be an internal user.',
  'connect-user-whatsapp-sender-id-must':
    '"connect.user.whatsapp_sender_id" must be a sender that is online and synced.',
  'content-kind-not-known-here': 'Content of the kind {{value}} is not known here.',
  'delivery-was-not-rejected': 'Webhook {{id}} does not have a bad signature.',
  'domain-stays': '"connect.user.domain" cannot be changed while the user has a SIP credential.',
  'extension-already-exists': 'The extension {{number}} already exists and leads to {{label}} "{{name}}".',
  'extension-already-leads': 'The extension {{number}} already leads there.',
  'extension-can-lead-only': 'An extension can lead to {{value}} only.',
  'extension-choice-call-flow-remove-first':
    'The extension {{number}} is a choice of the call flow "{{flow}}". Remove it there first.',
  'extension-for-emergencies': '"{{path}}" cannot be {{number}}, which is an emergency number.',
  'extension-for-one': 'Name one thing that the extension leads to: dst, user, mobile or voicemail.',
  'extension-of-target-twice': 'The target already has an extension.',
  'extension-without-target': 'The extension {{number}} already exists and leads nowhere. Choose where it leads.',
  'external-caller-id-must-validated-before': 'An external caller ID must be validated before it can be the default.',
  'form-delivery-longer-than-log-keeps':
    'The log keeps only the beginning of webhook {{id}}, too little to explain its signature.',
  'gather-hint-too-long':
    '"connect.telco.callflow.gather_hints" may hold hints of at most {{chars}} characters: "{{hint}}" is longer.',
  'has-been-validated-already': '{{number}} has been validated already.',
  'has-not-written-on-whatsapp-within':
    '{{number}} has not written on WhatsApp within the last 24 hours: an approved template is required.',
  'language-not-known-here': 'The language "{{language}}" is not known here.',
  'login-stays': '"connect.user.user" cannot be changed once it is set.',
  'media-away': 'The media cannot be fetched from Twilio right now.',
  'media-not-there': 'These media do not exist, or are not shared with you.',
  'message-configuration-twice': 'This number already has a message rule.',
  'messages-of-day-reached': 'The daily limit of messages is reached. A user manager can raise it in the settings.',
  'must-digits-phone-number-simple-pattern':
    '"{{path}}" must be digits such as 101, a phone number such as +15550100001, or a simple pattern such as 2\\d\\d.',
  'name-record-ids-template-markup': 'Name a record in "ids", or a template in "markup".',
  'no-api-url-not-set-without-calls': 'The public address is not set, so calls cannot be forwarded.',
  'no-api-url-not-set-without-phone': 'The public address is not set, so Twilio cannot report what happens.',
  'no-audio-not-yours-hear': 'This audio does not exist, or is not shared with you.',
  'no-extension': 'There is no extension {{number}}.',
  'no-free-number-digits-after-last': 'There is no free number of {{exten_digits}} digits after the last one.',
  'no-logged-telephony-delivery': 'There is no stored webhook {{id}} from Twilio.',
  'no-number-ours': '{{to}} is no number of ours. Our numbers are: {{numbers}}.',
  'no-number-ours-send-from-one': 'There is no number of ours to send from, or the one named is not ours.',
  'hours-without-number': 'No number uses these hours yet. Choose them on a number, or say which number is called.',
  'no-numbers-yet': '{{to}} is not one of your numbers. You have none yet.',
  'no-numbers-of-kind': 'Twilio sells no such numbers in this country.',
  'no-record-for-extension-lead': 'There is no record {{resid}} in {{model}} for the extension to lead to.',
  'no-time-should-written-t-z':
    '"{{text}}" is no time; it should be written 2026-11-22 10:00, 2026-11-22T10:00:00Z or sunday 10:00.',
  'extension-target-or-mobile': 'An extension leads to an entry or to a mobile, not to both.',
  'mobile-is-no-number': '"{{path}}" must be a phone number such as +41791234567.',
  'mobile-is-own-number': '{{number}} is one of your own numbers. A call to it would come back here.',
  'mobile-of-other-country':
    'The settings do not allow mobiles in the country of {{number}}. A user manager can allow it under "Countries of mobiles".',
  'no-whatsapp-sender-online': 'There is no WhatsApp sender that is online.',
  'no-whatsapp-sender-online-not-one': 'There is no WhatsApp sender that is online, or it is not one of ours.',
  'nobody-else-on-line': 'No one else is on the line.',
  'number-is-barred': '{{number}} is blocked for calls and messages. A user manager can change that in the settings.',
  'own-number-not-whole':
    '{{number}} is not a whole phone number. Write it with its country code, such as +41315550100.',
  'number-must-extension-phone-number':
    'The "number" must be an extension such as 101 or a phone number such as +15550100001.',
  'number-not-at-provider': 'The account at Twilio does not have this number.',
  'number-not-for-sale': 'This number is no longer for sale. Search again.',
  'number-on-trunk':
    'Its calls go to the SIP trunk {{trunk}}, not to Connect. Take it off the trunk, or choose not to manage it.',
  'number-price-changed': 'This number now costs {{price}} a month. Search again to see the new price.',
  'number-price-unknown': 'Twilio does not say what this number costs, so it is not bought from here.',
  'number-wants-address': 'This number needs an address. Choose one, or add it in the Twilio console.',
  'number-wants-approved-papers':
    'This number needs documents that Twilio has approved. Submit them in the Twilio console.',
  'number-wants-foreign-address':
    'This number needs an address outside its country. Choose one, or add it in the Twilio console.',
  'number-wants-local-address':
    'This number needs an address in its country. Choose one, or add it in the Twilio console.',
  'number-wants-papers':
    'This number needs documents that Twilio has approved ({{papers}}). Choose them, or submit them in the Twilio console.',
  'number-withheld-call': 'This caller withheld their number, so you cannot call them.',
  'number-withheld-write': 'This sender withheld their number, so you cannot write to them.',
  'number-yours-needs-no-validation': '{{number}} is one of your numbers and needs no validation.',
  'number-yours-remove-at-provider-then': '{{number}} is one of your numbers. Remove it at Twilio, then sync.',
  'one-call-made-by-one-phone': 'A call is made by one phone user.',
  'only-message-could-not-delivered-can': 'Only a message that could not be delivered can be sent again.',
  'own-calls-of-day-reached':
    'You have reached your daily limit of calls. A user manager can raise it in the settings.',
  'own-messages-of-day-reached':
    'You have reached your daily limit of messages. A user manager can raise it in the settings.',
  'phone-credentials-refused':
    "Twilio does not accept the account's credentials. An administrator must enter them again.",
  'phone-list-too-long': 'Twilio has more than {{max}} {{what}}, which is more than Connect can sync.',
  'phone-provider-refused': 'Twilio refused: {{said}} ({{what}})',
  'phone-provider-says-verified-does-not': 'Twilio says that {{number}} is verified, but does not list it.',
  'phone-provider-silent':
    'Twilio did not answer in time. It may have been done all the same: please look before you try again.',
  'phone-provider-unreachable': 'Twilio cannot be reached right now. Please try again in a moment.',
  'phone-user-of-login-twice': 'This login already has a phone user.',
  'api-argument-must-phone-number': 'The argument "to" must be a phone number such as +15550100001.',
  'provider-audio-elsewhere': 'Twilio does not keep this audio.',
  'provider-audio-missing': 'Twilio does not have this audio.',
  'recording-being-started-stopped-at-this':
    'The recording is being started or stopped right now. Try again in a moment.',
  'sender-name-cannot-be-answered':
    '"{{name}}" is the name of a sender and no number, so it cannot be answered: "to" must be a phone number such as +15550100001.',
  'sender-not-at-provider': 'The account at Twilio does not have this sender.',
  'set-region-its-calls-at-phone': 'Set the region of its calls to {{region}} at Twilio. Connect cannot do that.',
  'settings-mobile-countries': 'There is no country "{{country}}" with telephone numbers. Write codes such as CH DE.',
  'settings-barred-prefixes': '"connect.settings.barred_prefixes" must be beginnings of numbers such as +1900 +881.',
  'sip-domain-protected-switch-delete-protection':
    'The SIP domain "{{friendly_name}}" is protected: switch "delete_protection" off before you delete it.',
  'sip-domain-uses-this-application-give':
    'The SIP domain "{{friendly_name}}" uses this application. Give it another one first.',
  'sip-password-too-short': '"connect.user.password" must have at least {{min}} characters.',
  'sip-password-unknown':
    'Twilio has no credential for this SIP phone, and Connect does not know its password. Set a new one.',
  'step-tried-twice': 'The step is already marked as tried in this call.',
  'step-twice': 'The user already has a step of this type.',
  'submit-one-template-at-time': 'Submit one template at a time.',
  'template-already': 'The template "{{friendly_name}}" is {{status}} already.',
  'template-not-approved-so-cannot-sent': 'The template "{{friendly_name}}" is not approved, so it cannot be sent.',
  'templates-for-whatsapp-messages': 'Only WhatsApp messages can use a template.',
  'this-extension-cannot-take-calls-at': 'This extension cannot take calls at the moment.',
  'trial-account-numbers': 'A Twilio trial account can have only one number. Upgrade it in the Twilio console first.',
  'username-stays': '"connect.user.username" cannot be changed once it is set.',
  'validate-one-caller-id-at-time': 'Validate one caller ID at a time.',
  'you-have-no-phone-user-with':
    'To call from here, you need a phone user with a username and a SIP domain. An administrator can set it up.',
  'you-have-no-telephone-could-ring':
    'To call from here, you need a web phone or a SIP phone. An administrator can add one.',
  'you-may-call-from-your-own': 'You can call only from your own phone.',
  'you-must-select-default-number-for': 'You must select a default number for caller ID!',

  // Voice platform.
  'agent-changed-under-draft':
    '{{name}} changed this agent after the draft was started ({{fields}}). Review the difference, then save the draft again.',
  'agent-draft-changed': '{{name}} has changed this draft in the meantime. Look at it first.',
  'agent-draft-field': 'The field "{{name}}" is not part of a draft of connect.voiceai_agent.',
  'agent-draft-gone': 'There is no draft any more. {{name}} published or discarded it.',
  'agent-draft-of-one': 'A draft belongs to one agent.',
  'agent-draft-twice': 'This agent already has a draft.',
  'agent-speaks-with-this-voice-give': 'The agent "{{name}}" uses this voice. Give it another one first.',
  'connect-voiceai-agent-active-prompt-version': `"connect.voiceai_agent.active_prompt_version" must be a version of this agent's prompt.`,
  'connect-voiceai-agent-first-message-translations':
    '"connect.voiceai_agent.first_message_translations" must be an object of language and text, such as {"de": "Guten Tag!"}.',
  'connect-voiceai-agent-llm-must-one': '"connect.voiceai_agent.llm" must be one of: {{choices}}.',
  'connect-voiceai-agent-transfer-transfer-agent':
    '"connect.voiceai_agent_transfer.transfer_to_agent" must be another agent.',
  'connect-voiceai-agent-voiceai-inbound-allowed':
    '"connect.voiceai_agent.voiceai_inbound_allowed_ips" has "{{bad}}", which is neither an IP address nor a range such as 192.0.2.0/24.',
  'emergency-number': 'Emergency numbers cannot be called from this phone. Use a mobile phone or landline.',
  'knowledge-file-size': '"connect.voiceai_knowledge.file" must have {{megabytes}} MB or less.',
  'knowledge-file-type': '"connect.voiceai_knowledge.file" must be a PDF, DOCX, TXT, MD, HTML or EPUB file.',
  'knowledge-url': '"connect.voiceai_knowledge.url" must be a public http or https address.',
  'no-default-voice': 'Choose a default voice in the settings first.',
  'preview-away': 'The preview cannot be fetched from ElevenLabs right now.',
  'preview-not-there': 'This preview does not exist, or is not shared with you.',
  'question-one': 'One question is answered at a time.',
  'set-up-agent-no-voice': 'There are no voices yet. Sync voice agents first.',
  'set-up-agent-person': 'The person who takes over must be an active user.',
  'set-up-agent-tools': 'The agent needs tools that were deleted or renamed: {{names}}.',
  'tool-try-not-ours': 'Only the tools of Connect can be tried here.',
  'tool-try-one': 'Try one tool at a time.',
  'trial-not-begun': 'You cannot talk to ElevenLabs right now. {{reason}}',
  'trial-number': '"{{number}}" is not a phone number.',
  'trial-of-one': 'Try one agent at a time.',
  'trial-too-many': 'You have {{count}} open conversations with agents. End one of them first.',
  'tool-address-braces':
    '"connect.voiceai_agent_tool.{{field}}" has braces that name no parameter: write {name}, with letters, digits, underscores, dots and hyphens.',
  'tool-address-outside-path':
    '"connect.voiceai_agent_tool.{{field}}" has {{place}} outside of its path: add a parameter "{{name}}" instead.',
  'tool-parameter-twice': 'The tool already has a parameter of this name.',
  'tool-path': '"connect.voiceai_agent_tool.path" must be a path of this service such as /connect_voiceai/transfer.',
  'tool-timeout-other':
    '"connect.voiceai_agent_tool.response_timeout_secs" of a tool of this type must be from {{min}} to {{max}}.',
  'tool-timeout-webhook':
    '"connect.voiceai_agent_tool.response_timeout_secs" of a webhook tool must be from {{min}} to {{max}}.',
  'tool-url': '"connect.voiceai_agent_tool.url" must be an http or https address.',
  'unbind-after-sync': 'A sync is running. Disconnect the account when it has ended.',
  'voice-address-not-set': 'API URL not set: ElevenLabs needs the public https address of this service.',
  'voice-agents-off': 'Voice agents are switched off: switch "voiceai_enabled" on first.',
  'voice-key-not-set': 'API key not set',

  // The service as a whole.
  'audio-not-compared': 'Audio that is still in its webhook cannot be compared.',
  'backup-of-server':
    'The records are in a PostgreSQL database: pg_dump backs it up, and connect backup with DATABASE_URL the rest.',
  'backup-still-being-made-wait-until': 'The backup {{name}} is still being made. Wait until it is done.',
  'contact-of-user': 'This is the contact of the user "{{user}}". Remove the user first, then erase the contact.',
  'emulator-silent': 'The Twilio emulator does not answer.',
  'erase-other-name': 'The name does not match, so nothing was erased.',
  'no-backup-was-begun-since-service': 'No backup has been started since the service started.',
  'no-such-number': 'There is no number {{number}}.',
  'only-played-by-emulator': 'Only the Twilio emulator can play a call. Call the number instead.',
  'service-stopping-make-backup-later': 'The service is stopping. Make the backup later.',

  // More than one area.
  'address-private':
    'Invalid api url! {{host}} is a private address that no provider can reach! Please use a public domain!',
  'address-private-name':
    'Invalid api url! {{host}} is a name of a private network that no provider can reach! Please use a public domain!',
} as const
