/** Refusals that only programs meet: how the API is called, and what a voice agent reads of its tools. */
export const FOR_PROGRAMS = {
  // Rules of models.
  'api-model-has-no-field': 'The model {{model}} has no field {{name}}.',
  'api-no-model': 'There is no model "{{name}}".',
  'api-several-problems': '{{count}} problems: {{sentences}}',

  // Records and searches.
  'api-argument-names-at-most': 'The argument "{{argument}}" names at most {{most}} fields.',
  'api-argument-names-twice': 'The argument "{{argument}}" names {{name}} twice.',
  'api-cannot-grouped-by': '{{model}} cannot be grouped by {{name}}: {{advice}}.',
  'api-cannot-reckoned': '{{name}} cannot be reckoned of {{model}}: {{advice}}.',
  'api-command-without-values': '"{{path}}" has a command [0,0,{...}] without the values of a new record.',
  'api-condition-can-only-have-operator': 'The condition [{{path}}, ...] can only have the operator "=" or "!=".',
  'api-condition-on-lists-more-than-values': 'The condition on "{{path}}" lists more than {{list_values}} values.',
  'api-conditions-this-domain': 'The conditions of this domain {{what}}: {{advice}}.',
  'api-domain-has-at-most-terms': 'A domain has at most {{domain_terms}} terms.',
  'api-domain-has-operator-with-too-few': 'The domain has an operator with too few conditions after it.',
  'api-domain-operator-not-known': 'The domain operator {{operatortext}} is not known.',
  'api-empty-record': 'A new record of {{model}} needs at least one field.',
  'api-field-cannot-grouped-reckoned': 'The field "{{name}}" of {{model}} cannot be grouped by or reckoned.',
  'api-field-cannot-searched': 'The field "{{name}}" of {{model}} cannot be searched.',
  'api-field-cannot-searched-sorted-by': 'The field "{{name}}" of {{model}} cannot be searched or sorted by.',
  'api-field-cannot-sorted-by': 'The field "{{name}}" of {{model}} cannot be sorted by.',
  'api-field-read-for-at-most-records':
    'The field "{{value}}" is read for at most {{heavy_rows}} records of {{model}} at a time: set a lower limit.',
  'api-groups-sorted-by': 'Groups are sorted by {{names}}, with "desc" behind it downwards.',
  'api-has-link-command-not-one-ids':
    '"{{path}}" has a link command that is not one of [6,0,ids], [5], [4,id], [3,id], [0,0,{...}].',
  'api-must-base': '"{{path}}" must be base64.',
  'api-must-hold-ids-records': '"{{path}}" must hold ids of records.',
  'api-must-id-record-its-code-name':
    '"{{path}}" must be the id of a record, or its code or name: no record of {{name}} has {{name2}}.',
  'api-must-id-several-records-have-name':
    '"{{path}}" must be an id: several records of {{name}} have the name {{name2}}.',
  'api-must-list-ids': '"{{path}}" must be a list of ids.',
  'api-neither-true-nor-false-which-compared':
    '{{value}} is neither true nor false, which "{{path}}" is compared with.',
  'api-no-field-such-as': '{{name}} is no field such as "agent", "create_date:day", "duration:sum".',
  'api-no-time-zone': '{{tz}} is no time zone, such as Europe/Zurich.',
  'api-not-condition-field-operator-value': '{{token}} is not a condition [field, operator, value].',
  'api-not-link': '"{{name}}" of {{model}} is not a link.',
  'api-not-number-which-compared-with': '{{value}} is not a number, which "{{path}}" is compared with.',
  'api-not-order-name-desc': '{{value}} is not an order such as "name desc".',
  'api-not-text-which-compared-with': '{{value}} is not a text, which "{{path}}" is compared with.',
  'api-not-whole-number-which-compared-with': '{{value}} is not a whole number, which "{{path}}" is compared with.',
  'api-operator-needs-text-field-not-one': 'The operator "{{operator}}" needs a text field; "{{path}}" is not one.',
  'api-operator-on-needs-text-look-for': 'The operator "{{operator}}" on "{{path}}" needs a text to look for.',
  'api-path-follows-too-many-links': 'The path {{path}} follows too many links.',
  'api-pattern-for-ends-backslash-stands-before':
    'The pattern for "{{path}}" ends in a backslash that stands before nothing.',
  'api-search-sorted-by-at-most-fields': 'A search is sorted by at most {{order_terms}} fields.',
  'api-sets-too-many-links': 'One call may set at most {{links}} links: send it in parts.',
  'api-sets-too-many-passwords': 'One call may set at most {{passwords}} passwords: send it in parts.',
  'api-text-compared-with-has-characters-no':
    'The text compared with "{{path}}" has characters that no stored text has.',
  'api-too-many-groups': 'These are more than {{groups}} groups: narrow the domain, or group by less.',
  'api-unchanged-since-context-must-write-stamp':
    'The "unchanged_since" of the context must be the "write_stamp" of the record.',
  'api-with-unchanged-since-one-record-changed': 'With "unchanged_since" one record is changed at a time.',
  'api-written-on-through-its-field-with':
    '"{{path}}" is written on {{target}}, through its field "{{inverse}}", or with [0,0,{...}], [1,id,{...}] and [2,id] for its records.',
  'api-written-with-commands-only-each-with':
    '"{{path}}" is written with commands [0,0,{...}], [1,id,{...}] and [2,id] only, each of a record of {{target}}.',

  // Calls of the API.
  'api-api-called-with-post': 'The API is called with POST.',
  'api-argument-context-must-json-object': 'The argument "context" must be a JSON object.',
  'api-argument-ids-must-list-record-ids': 'The argument "ids" must be a list of record ids.',
  'api-argument-ids-names-more-than-records': 'The argument "ids" names more than {{ids}} records.',
  'api-argument-ids-names-no-record': 'The argument "ids" names no record.',
  'api-body-has-more-than-names-values':
    'The body has more than {{colons}} names or {{marks}} values: send it in parts.',
  'api-body-must-application-json': 'The body must be application/json.',
  'api-body-must-json-object-named-arguments': 'The body must be a JSON object of named arguments.',
  'api-body-nested-more-than-levels-deep': 'The body is nested more than {{depth}} levels deep.',
  'api-body-not-valid-json': 'The body is not valid JSON.',
  'api-method-has-no-argument': 'The method {{model}}/{{method}} has no argument {{name}}.',
  'api-method-needs-argument': 'The method {{path}} needs the argument "{{name}}".',
  'api-model-has-no-method': 'The model {{model}} has no method "{{name}}".',
  'api-nothing-at-this-address': 'There is nothing at this address.',
  'api-request-malformed': 'The request is malformed.',

  // Users, sessions and keys.
  'api-key-outlives-its-maker': 'A key makes no key that lives longer than itself: "expires_at" ends by {{date}}.',
  'api-keys-those-exactly-one-user-ids': 'Keys are those of exactly one user: "ids" has one id.',
  'api-link-for-exactly-one-user-ids': 'A link is for exactly one user: "ids" has one id.',
  'api-request-with-session-cookie-must-application': 'A request with a session cookie must be application/json.',
  'api-request-with-session-cookie-must-come': 'A request with a session cookie must come from a page of this service.',
  'api-send-code': 'Send "code".',
  'api-send-current-next': 'Send "current" and "next".',
  'api-send-login-password': 'Send "login" and "password".',
  'api-send-password': 'Send "password".',
  'api-send-password-tz-lang': 'Send "password", "tz" and "lang".',
  'api-send-ticket-code': 'Send "ticket" and "code".',
  'api-send-token': 'Send "token".',
  'api-send-token-name-login-password': 'Send "token", "name", "login" and "password".',

  // Notes, files, views, settings, streams.
  'api-argument-ids-names-no-notice': 'The argument "ids" names no notice.',
  'api-file-sent-as': 'A file is sent as {{type}}.',

  // Webhooks.
  'agent-body-not-object': 'The body must be a JSON object.',
  'agent-body-too-complex': 'The body has too many values: a tool takes a small flat object.',
  'agent-not-a-number': 'The {{name}} must be a number.',
  'agent-text-too-long': 'The {{name}} must be a text of at most {{chars}} characters.',
  'api-deliveries-replayed': 'One call replays at most {{max}} deliveries.',
  'api-one-delivery-compared': 'One delivery is compared: "ids" has one id.',
  'api-one-delivery-explained-ids-has-one': 'One delivery is explained: "ids" has one id.',

  // Calls and messages.
  'api-argument-ids-names-no-conversation': 'The argument "ids" names no conversation.',
  'api-argument-user-must-name-somebody-who': 'The argument "user" must name somebody who works with Connect.',
  'api-call-not-call-we': 'The call {{callid}} is not the call that we are in.',
  'api-one-call-told': 'One call is told: "ids" has one id.',
  'api-record-has-positive-number': 'A record has a positive number.',
  'api-thread-named-by-both-res-model': 'A thread is named by both "res_model" and "res_id" of connect.message.',

  // Calendar.
  'agent-date': 'The start must be a date written YYYY-MM-DD.',
  'agent-date-far': 'The date is more than {{years}} years away.',
  'agent-event-id-required': 'event_id is required',
  'agent-event-not-found': 'Event not found',
  'agent-local-time': 'The {{name}} must be a local time written YYYY-MM-DD HH:MM:SS.',
  'agent-meeting-too-long': 'A meeting lasts a day at most. When does it end?',
  'agent-meeting-too-short': 'A meeting lasts a minute at least. When does it end?',
  'agent-meetings-contact-required': 'partner_id is required',
  'agent-meetings-of-whom': 'I do not know who is calling, so I cannot look up meetings.',
  'agent-start-past': 'The start is in the past.',
  'agent-start-required': 'The start is required, written YYYY-MM-DD HH:MM:SS.',
  'agent-start-skipped': '{{change}} The next time is {{next}}.',
  'agent-stop-before-start': 'The stop must be after the start.',
  'agent-stop-required': 'The stop is required, written YYYY-MM-DD HH:MM:SS.',
  'agent-timezone': 'The timezone must be a name such as Europe/Zurich or an offset such as +2.',
  'agent-user-id-required': 'The user_id is required.',

  // Helpdesk.
  'agent-no-call-for-ticket': 'There is no call {{call}}, so no ticket was created.',
  'agent-no-updates': 'No updates provided: say what is to change.',
  'agent-note-required': 'Note content is required',
  'agent-priority': 'The priority must be one of {{allowed}}.',
  'agent-stage': 'There is no stage "{{wanted}}". The stages are: {{names}}.',
  'agent-ticket-call-required': 'The call_id is required to create a ticket.',
  'agent-ticket-id-required': 'Ticket ID is required',
  'agent-ticket-not-found': 'Ticket not found',
  'agent-ticket-not-of-caller': 'Ticket not found: the caller has no ticket with the number {{id}}.',
  'agent-tickets-contact-required': 'Partner ID is required to search tickets',
  'agent-tickets-of-caller-only': 'I can only look up the tickets of the person who is calling.',
  'agent-tickets-of-whom': 'I do not know who is calling, so I cannot look up tickets.',
  'api-one-ticket-moved': 'One ticket is moved at a time.',

  // Phone provider.
  'api-argument-body-empty': 'The argument "body" is empty.',
  'api-argument-ids-must-name-exactly-one': 'The argument "ids" must name exactly one call.',
  'api-argument-ids-names-no-message': 'The argument "ids" names no message.',
  'api-number-to-rehearse': 'Say which number is called: as "to", or as one record.',

  // Voice platform.
  'agent-contact-call-required': 'The call_id is required to create a contact.',
  'agent-contact-name-required': 'The name is required to create a contact.',
  'agent-no-call-for-contact': 'There is no call {{call}}, so no contact was created.',
  'agent-no-name': 'That is no name. What is your first and last name?',
  'agent-transfer-away': 'The transfer is not available right now.',
  'agent-transfer-call-not-found': 'The call was not found, so it cannot be transferred.',
  'agent-transfer-failed': 'The transfer failed: the call could not be redirected.',
  'agent-transfer-format': 'Wrong extension format. Only digits, e.g. 101',
  'agent-transfer-incomplete': 'Not all parameters passed. You must provide channel_sid and exten (only digits)',
  'agent-transfer-none': 'There is no public extension to connect the call. Cannot transfer',
  'agent-transfer-not-found':
    'Extension {{exten}} not found. Available extensions: {{extensions}}. Please try again with a correct number.',
  'trial-over': 'This trial is over.',
  'api-delivery-bytes-without-audio-too-large': 'A delivery of {{bytes}} bytes without audio is too large.',
  'api-delivery-has-too-many-values': 'The delivery has too many values.',

  // The service as a whole.
  'api-one-erased': 'One person is erased at a time: name one contact.',
  'api-one-exported': 'One person is exported at a time: name one contact.',
  'api-send-search': 'Send "text" of 1 to {{chars}} characters, and "limit" up to {{limit}}.',

  // More than one area.
  'api-no-instant': '"{{name}}" is no moment such as 2026-11-22 23:00:00.',
  'api-span-order': '"to" is after "from", and at most {{days}} days after it.',
} as const
