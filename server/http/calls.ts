import type { CallName } from '#contract/calls.ts'
import type { Handler } from '../core/handle.ts'
import { exportActivity } from '../activity/export-activity.ts'
import { exportOwnActivity } from '../activity/export-own-activity.ts'
import { listActivity } from '../activity/list-activity.ts'
import { listOwnActivity } from '../activity/list-own-activity.ts'
import { cancelSubscription } from '../billing/cancel-subscription.ts'
import { changeSubscriptionPlan } from '../billing/change-subscription-plan.ts'
import { completePayment } from '../billing/complete-payment.ts'
import { createSetupIntent } from '../billing/create-setup-intent.ts'
import { deleteOwnPaymentMethod } from '../billing/delete-own-payment-method.ts'
import { deletePaymentMethod } from '../billing/delete-payment-method.ts'
import { getBillingDetails } from '../billing/get-billing-details.ts'
import { getPaymentMethods } from '../billing/get-payment-methods.ts'
import { listInvoices } from '../billing/list-invoices.ts'
import { listOwnPaymentMethods } from '../billing/list-own-payment-methods.ts'
import { payInvoice } from '../billing/pay-invoice.ts'
import { previewPayment } from '../billing/preview-payment.ts'
import { previewPlanChange } from '../billing/preview-plan-change.ts'
import { previewSubscription } from '../billing/preview-subscription.ts'
import { setDefaultPaymentMethod } from '../billing/set-default-payment-method.ts'
import { transferSubscriptionOwnership } from '../billing/transfer-subscription-ownership.ts'
import { updateBillingDetails } from '../billing/update-billing-details.ts'
import { applyActionCode } from '../identity/apply-action-code.ts'
import { checkActionCode } from '../identity/check-action-code.ts'
import { confirmPasswordReset } from '../identity/confirm-password-reset.ts'
import { deleteAccount } from '../identity/delete-account.ts'
import { listSessions } from '../identity/list-sessions.ts'
import { reauthenticate } from '../identity/reauthenticate.ts'
import { refreshSession } from '../identity/refresh-session.ts'
import { rejectVerification } from '../identity/reject-verification.ts'
import { revokeOtherSessions } from '../identity/revoke-other-sessions.ts'
import { revokeSession } from '../identity/revoke-session.ts'
import { sendPasswordResetEmail } from '../identity/send-password-reset-email.ts'
import { sendVerificationEmail } from '../identity/send-verification-email.ts'
import { signIn } from '../identity/sign-in.ts'
import { signOut } from '../identity/sign-out.ts'
import { signUp } from '../identity/sign-up.ts'
import { startProviderFlow } from '../identity/start-provider-flow.ts'
import { unlinkProvider } from '../identity/unlink-provider.ts'
import { updateEmail } from '../identity/update-email.ts'
import { updatePassword } from '../identity/update-password.ts'
import { acceptInvite } from '../invites/accept-invite.ts'
import { checkInvite } from '../invites/check-invite.ts'
import { createInvite } from '../invites/create-invite.ts'
import { listInvites } from '../invites/list-invites.ts'
import { listSentInvites } from '../invites/list-sent-invites.ts'
import { rejectInvite } from '../invites/reject-invite.ts'
import { revokeInvite } from '../invites/revoke-invite.ts'
import { resendInvite } from '../invites/resend-invite.ts'
import { getSubscriptionUsers } from '../members/get-subscription-users.ts'
import { updateUserPermissions } from '../members/update-user-permissions.ts'
import { removeUser } from '../members/remove-user.ts'
import { leaveSubscription } from '../members/leave-subscription.ts'
import { exportUser } from '../profile/export-user.ts'
import { getUser } from '../profile/get-user.ts'
import { saveUser } from '../profile/save-user.ts'
import { updateProfile } from '../profile/update-profile.ts'
import { createSubscription } from '../subscriptions/create-subscription.ts'
import { getSubscription } from '../subscriptions/get-subscription.ts'
import { listSubscriptions } from '../subscriptions/list-subscriptions.ts'
import { updateSubscriptionSettings } from '../subscriptions/update-subscription-settings.ts'

/** The handler of every call. One that is missing does not compile. */
export const handlers: { [Name in CallName]: Handler<Name> } = {
  acceptInvite,
  applyActionCode,
  cancelSubscription,
  changeSubscriptionPlan,
  checkActionCode,
  checkInvite,
  completePayment,
  confirmPasswordReset,
  createInvite,
  createSetupIntent,
  createSubscription,
  deleteAccount,
  deleteOwnPaymentMethod,
  deletePaymentMethod,
  exportActivity,
  exportOwnActivity,
  exportUser,
  getBillingDetails,
  getPaymentMethods,
  getSubscription,
  getSubscriptionUsers,
  getUser,
  leaveSubscription,
  listActivity,
  listInvites,
  listSentInvites,
  listInvoices,
  listOwnActivity,
  listOwnPaymentMethods,
  listSessions,
  listSubscriptions,
  payInvoice,
  previewPayment,
  previewPlanChange,
  previewSubscription,
  reauthenticate,
  refreshSession,
  rejectInvite,
  rejectVerification,
  removeUser,
  resendInvite,
  revokeInvite,
  revokeOtherSessions,
  revokeSession,
  saveUser,
  sendPasswordResetEmail,
  sendVerificationEmail,
  setDefaultPaymentMethod,
  signIn,
  signOut,
  signUp,
  startProviderFlow,
  transferSubscriptionOwnership,
  unlinkProvider,
  updateBillingDetails,
  updateEmail,
  updatePassword,
  updateProfile,
  updateSubscriptionSettings,
  updateUserPermissions,
}
